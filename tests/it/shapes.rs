//! Texts of many shapes, as programs and people write them, in no language that is built in; and checks of them.

/// A small generator of numbers: the same in every run.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 20
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).unwrap()
    }

    fn of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }

    fn words(&mut self, count: usize) -> String {
        let words: Vec<&str> = (0..count).map(|_| self.of(WORDS)).collect();
        words.join(" ")
    }
}

const WORDS: &[&str] = &[
    "the", "of", "a", "request", "buffer", "value", "index", "node", "table", "is", "was", "and",
    "with", "from", "to", "cache", "stream", "token", "page", "queue", "client", "server", "retry",
    "limit", "count", "reads", "writes", "empty", "full", "next", "first", "under", "over",
    "again", "while", "until", "signal", "thread", "worker", "batch", "state", "order", "price",
    "label",
];

/// A text and what must stay balanced in it.
pub(super) struct Shape {
    pub(super) name: &'static str,
    pub(super) text: String,
    /// Words that open and close something, alike in number and never closed before they are opened.
    pub(super) pairs: &'static [(&'static str, &'static str)],
}

/// All of them, of about `lines` lines.
pub(super) fn shapes(lines: usize, seed: u64) -> Vec<Shape> {
    let make = |name, pairs, write: fn(&mut Random, usize) -> String| Shape {
        name,
        pairs,
        text: write(&mut Random::new(seed), lines),
    };
    vec![
        make("log", &[], log),
        make("ini", &[], ini),
        make("csv", &[], csv),
        make(
            "assembler",
            &[(".cfi_startproc", ".cfi_endproc")],
            assembler,
        ),
        make("makefile", &[("ifdef", "endif")], makefile),
        make("dockerfile", &[], dockerfile),
        make("proto", &[("{", "}")], proto),
        make(
            "fortran",
            &[("subroutine", "endsubroutine"), ("do", "enddo")],
            fortran,
        ),
        make("patch", &[], patch),
        make("mail", &[], mail),
        make("base64", &[], base64),
        make("statements", &[("(", ")")], statements),
        make("letters", &[], letters),
        make("latex", &[("\\begin", "\\end")], latex),
        make("prose", &[], prose),
        make("markup", &[("<div", "</div")], markup),
        make("indented", &[], indented),
    ]
}

fn log(r: &mut Random, lines: usize) -> String {
    let mut text = String::new();
    for line in 0..lines {
        let (level, module) = (r.of(&["INFO", "DEBUG", "WARN", "ERROR"]), r.of(WORDS));
        let (worker, took, id) = (r.below(9), r.below(900), r.below(100_000));
        let count = 3 + r.below(6);
        let message = r.words(count);
        text.extend([format!("2024-03-{:02}T10:{:02}:{:02}.{took:03}Z {level} [worker-{worker}] core.{module}: {message} id={id} took={took}ms\n",
            1 + line / 80 % 28,
            line / 60 % 60,
            line % 60)]);
    }
    text
}

fn ini(r: &mut Random, lines: usize) -> String {
    let mut text = String::new();
    for line in 0..lines {
        if line % 9 == 0 {
            text.extend([format!("\n[{}.{}]\n", r.of(WORDS), line)]);
        } else if r.below(8) == 0 {
            text.extend([format!("; {}\n", r.words(5))]);
        }
        text.extend([format!("{}_{line} = {}\n", r.of(WORDS), r.words(2))]);
    }
    text
}

fn csv(r: &mut Random, lines: usize) -> String {
    let mut text = "id,name,price,count,label,state,order\n".to_owned();
    for line in 0..lines {
        text.extend([format!(
            "{line},{},{}.{},{},\"{}\",{},{}\n",
            r.of(WORDS),
            r.below(90),
            r.below(99),
            r.below(9),
            r.words(2),
            r.of(WORDS),
            r.below(9999)
        )]);
    }
    text
}

fn assembler(r: &mut Random, lines: usize) -> String {
    let mut text = "\t.text\n\t.file\t\"main.c\"\n".to_owned();
    for line in 0..lines / 12 {
        let name = format!("{}_{line}", r.of(WORDS));
        text.extend([format!(
            "\t.globl\t{name}\n\t.type\t{name}, @function\n{name}:\n\t.cfi_startproc\n"
        )]);
        for step in 0..4 + r.below(9) {
            let (op, one, two) = (
                r.of(&["movl", "addl", "leaq", "xorl", "cmpl"]),
                r.of(&["%eax", "%ebx", "%ecx"]),
                r.below(64),
            );
            text.extend([format!("\t{op}\t{two}(%rbp), {one}\n")]);
            if step == 3 {
                text.extend([format!(".L{line}_{step}:\n\tjne\t.L{line}_{step}\n")]);
            }
        }
        text.extend([format!(
            "\tret\n\t.cfi_endproc\n\t.size\t{name}, .-{name}\n"
        )]);
    }
    text
}

fn makefile(r: &mut Random, lines: usize) -> String {
    let mut text =
        "CC := gcc\nCFLAGS += -O2 -Wall\n\n.PHONY: all clean\nall: target_3 target_5\n\n"
            .to_owned();
    for line in 0..lines / 5 {
        let count = 1 + r.below(3);
        let needs: Vec<String> = (0..count)
            .map(|_| format!("target_{}", r.below(line + 1)))
            .collect();
        if line % 10 == 3 {
            text.extend([format!(
                "ifdef FLAG_{line}\nEXTRA_{line} = -D{}\nendif\n\n",
                r.of(WORDS)
            )]);
        }
        text.extend([format!(
            "target_{line}: {}\n\t@echo \"{}\"\n\t$(CC) $(CFLAGS) -o $@ {}.c\n\n",
            needs.join(" "),
            r.words(4),
            r.of(WORDS)
        )]);
    }
    text
}

fn dockerfile(r: &mut Random, lines: usize) -> String {
    let mut text = "FROM debian:12 AS build\n".to_owned();
    for line in 0..lines / 4 {
        match r.below(4) {
            0 => text.extend([format!("ENV {}_{line}=\"{}\"\n", r.of(WORDS), r.words(2))]),
            1 => {
                text.extend([format!(
                    "COPY --chown=app:app ./{} /srv/{}\n",
                    r.of(WORDS),
                    r.of(WORDS)
                )]);
            }
            2 => text.extend([format!("# {}\nWORKDIR /srv/{}\n", r.words(6), r.of(WORDS))]),
            _ => {
                text.extend([format!("RUN apt-get update && \\\n    apt-get install -y \\\n        {} \\\n        {} && \\\n    rm -rf /var/{line}\n",
                    r.of(WORDS),
                    r.of(WORDS))]);
            }
        }
    }
    text + "CMD [\"/srv/run\", \"--fast\"]\n"
}

fn proto(r: &mut Random, lines: usize) -> String {
    let mut text = "syntax = \"proto3\";\npackage core.v1;\n\n".to_owned();
    for line in 0..lines / 7 {
        text.extend([format!("// {}\nmessage Type{line} {{\n", r.words(5))]);
        for field in 1..2 + r.below(5) {
            let kind = if line > 0 && r.below(2) == 0 {
                format!("Type{}", r.below(line))
            } else {
                "int32".to_owned()
            };
            text.extend([format!("  {kind} {}_{field} = {field};\n", r.of(WORDS))]);
        }
        if r.below(3) == 0 {
            text.extend([format!(
                "  enum Kind{line} {{\n    NONE = 0;\n    {} = 1;\n  }}\n",
                r.of(WORDS).to_uppercase()
            )]);
        }
        text += "}\n\n";
    }
    text
}

fn fortran(r: &mut Random, lines: usize) -> String {
    let mut text = String::new();
    for line in 0..lines / 11 {
        text.extend([format!(
            "subroutine sub{line}(a, n)\n  integer :: n, i\n  real :: a(n), t{line}\n"
        )]);
        text.extend([format!(
            "  do i = 1, n\n    a(i) = a(i) * {}.0 + t{line}\n",
            r.below(90)
        )]);
        if r.below(2) == 0 {
            text.extend([format!(
                "    do j = 1, {}\n      a(j) = {}.5\n    enddo\n",
                r.below(9),
                r.below(9)
            )]);
        }
        text += "  enddo\n";
        if line > 0 {
            text.extend([format!("  call sub{}(a, n)\n", r.below(line))]);
        }
        text += "endsubroutine\n\n";
    }
    text
}

fn patch(r: &mut Random, lines: usize) -> String {
    let mut text = String::new();
    for file in 0..lines / 24 {
        let name = format!("src/{}_{file}.c", r.of(WORDS));
        text.extend([format!("diff --git a/{name} b/{name}\nindex {:07x}..{:07x} 100644\n--- a/{name}\n+++ b/{name}\n",
            r.below(0xfff_ffff),
            r.below(0xfff_ffff))]);
        for hunk in 0..2 {
            text.extend([format!(
                "@@ -{0},8 +{0},8 @@ int {1}()\n",
                1 + hunk * 40 + r.below(30),
                r.of(WORDS)
            )]);
            for line in 0..8 {
                let sign = [" ", " ", "-", "+", "-", "+", " ", " "][line];
                text.extend([format!(
                    "{sign}\t{} = {}({});\n",
                    r.of(WORDS),
                    r.of(WORDS),
                    r.below(999)
                )]);
            }
        }
    }
    text
}

fn mail(r: &mut Random, lines: usize) -> String {
    let mut text = String::new();
    for message in 0..lines / 20 {
        text.extend([format!("From: {}@example.org\nTo: list@example.org\nSubject: {}\nMessage-ID: <{}.{message}@example.org>\n\n",
            r.of(WORDS),
            r.words(4),
            r.below(99_999))]);
        for _ in 0..3 {
            let sign = r.of(&["", "", "> ", "> > "]);
            for _ in 0..3 + r.below(3) {
                text.extend([format!("{sign}{}\n", r.words(9))]);
            }
            text += "\n";
        }
        text.extend([format!("-- \n{}\n\n", r.words(3))]);
    }
    text
}

fn base64(r: &mut Random, lines: usize) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = "-----BEGIN BLOB-----\n".to_owned();
    for _ in 0..lines / 3 {
        text.extend((0..76).map(|_| LETTERS[r.below(64)] as char));
        text.push('\n');
    }
    text + "-----END BLOB-----\n"
}

/// All in one line.
fn statements(r: &mut Random, lines: usize) -> String {
    let mut text = String::new();
    for line in 0..lines {
        match r.below(3) {
            0 => text.extend([format!(
                "{}_{line}=f({},{});",
                r.of(WORDS),
                r.below(99),
                r.of(WORDS)
            )]),
            1 => text.extend([format!(
                "if({}>{}){{{}({});}}",
                r.of(WORDS),
                r.below(9),
                r.of(WORDS),
                line
            )]),
            _ => text.extend([format!(
                "{}[{}]={}+({}*{});",
                r.of(WORDS),
                r.below(9),
                r.of(WORDS),
                r.below(9),
                r.of(WORDS)
            )]),
        }
    }
    text
}

/// All in one word.
fn letters(r: &mut Random, lines: usize) -> String {
    (0..lines * 8)
        .map(|_| (b'a' + u8::try_from(r.below(26)).unwrap()) as char)
        .collect()
}

fn latex(r: &mut Random, lines: usize) -> String {
    let mut text = "\\documentclass{article}\n\\begin{document}\n".to_owned();
    for line in 0..lines / 9 {
        text.extend([format!(
            "\\section{{{}}}\n\\label{{sec:{line}}}\n{}.\n",
            r.words(2),
            r.words(12)
        )]);
        match r.below(3) {
            0 => text.extend([format!(
                "\\begin{{itemize}}\n  \\item {}\n  \\item {}\n\\end{{itemize}}\n",
                r.words(4),
                r.words(3)
            )]),
            1 => text.extend([format!(
                "\\begin{{equation}}\n  x_{{{line}}} = \\frac{{a}}{{b}} + {}\n\\end{{equation}}\n",
                r.below(9)
            )]),
            _ => text.extend([format!(
                "{} $x^2 + {}$ {}.\n{}.\n",
                r.words(8),
                r.below(9),
                r.words(8),
                r.words(14)
            )]),
        }
        text += "\n";
    }
    text + "\\end{document}\n"
}

fn prose(r: &mut Random, lines: usize) -> String {
    let mut text = String::new();
    for line in 0..lines / 2 {
        let mark = r.of(&[",", ".", ".", ";"]);
        text.extend([format!("{}{mark} {}\n", r.words(6), r.words(7))]);
        if line % 6 == 5 {
            text += "\n";
        }
    }
    text
}

fn markup(r: &mut Random, lines: usize) -> String {
    let mut text = "<page>\n".to_owned();
    let mut open = 0;
    for line in 0..lines / 2 {
        if r.below(3) == 0 && open < 6 {
            text.extend([format!("<div class=\"{}\" id=\"n{line}\">\n", r.of(WORDS))]);
            open += 1;
        } else if r.below(3) == 0 && open > 0 {
            text += "</div>\n";
            open -= 1;
        } else {
            text.extend([format!(
                "<p title=\"{}\">{} <b>{}</b></p>\n",
                r.of(WORDS),
                r.words(6),
                r.words(2)
            )]);
        }
    }
    text + &"</div>\n".repeat(open) + "</page>\n"
}

fn indented(r: &mut Random, lines: usize) -> String {
    let mut text = String::new();
    let mut depth = 0;
    for line in 0..lines {
        let indent = "  ".repeat(depth);
        let is_head = r.below(4) == 0 && depth < 6;
        let colon = if is_head { ":" } else { "" };
        text.extend([format!(
            "{indent}{} {}_{line}{colon}\n",
            r.of(WORDS),
            r.of(WORDS)
        )]);
        depth = if is_head {
            depth + 1
        } else {
            depth - r.below(2).min(depth)
        };
    }
    text
}

/// A text and what of it must stay.
pub(super) struct Check<'a> {
    pub(super) name: String,
    shape: &'a Shape,
    needles: Vec<String>,
    is_balanced: bool,
}

impl Check<'_> {
    pub(super) fn accepts(&self, bytes: &[u8]) -> bool {
        let has = |needle: &String| {
            bytes
                .windows(needle.len())
                .any(|window| window == needle.as_bytes())
        };
        self.needles.iter().all(has) && (!self.is_balanced || self.shape.is_balanced(bytes))
    }
}

impl Shape {
    /// One, two, three and twelve needles that stand far apart, twelve in clusters, and where the shape has pairs the balance of them.
    pub(super) fn checks(&self, seed: u64) -> Vec<Check<'_>> {
        let mut random = Random::new(seed);
        let mut checks = Vec::new();
        for (name, count, cluster) in [
            ("one", 1, 1),
            ("two", 2, 1),
            ("three", 3, 1),
            ("twelve", 12, 1),
            ("clusters", 12, 4),
        ] {
            for is_balanced in [false, true] {
                let needles = self.needles(&mut random, count, cluster);
                if is_balanced && self.pairs.is_empty() {
                    continue;
                }
                checks.push(Check {
                    name: format!("{name}{}", if is_balanced { " balanced" } else { "" }),
                    shape: self,
                    needles,
                    is_balanced,
                });
            }
        }
        checks
    }

    /// Pieces of so many bytes of the text, some of them side by side.
    fn needles(&self, random: &mut Random, count: usize, cluster: usize) -> Vec<String> {
        let words: Vec<&str> = self
            .text
            .split_whitespace()
            .filter(|word| word.len() >= 4)
            .collect();
        let mut needles = Vec::new();
        while needles.len() < count {
            if words.len() < 40 {
                let at = random.below(self.text.len() - 8);
                needles.push(self.text[at..at + 6].to_owned());
                continue;
            }
            let at = random.below(words.len() - cluster * 3);
            needles.extend((0..cluster).map(|step| words[at + step * 3].to_owned()));
        }
        needles.truncate(count);
        needles
    }

    fn is_balanced(&self, bytes: &[u8]) -> bool {
        let text = String::from_utf8_lossy(bytes);
        self.pairs.iter().all(|(open, close)| {
            let mut depth = 0i32;
            let mut at = 0;
            while at < text.len() {
                let rest = &text.as_bytes()[at..];
                let is_word = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
                let starts =
                    at == 0 || !is_word(text.as_bytes().get(at - 1)) || !is_word(rest.first());
                let fits = |word: &str| {
                    starts
                        && rest.starts_with(word.as_bytes())
                        && !(is_word(word.as_bytes().last()) && is_word(rest.get(word.len())))
                };
                if fits(close) {
                    depth -= 1;
                    at += close.len();
                } else if fits(open) {
                    depth += 1;
                    at += open.len();
                } else {
                    at += 1;
                }
                if depth < 0 {
                    return false;
                }
            }
            depth == 0
        })
    }
}
