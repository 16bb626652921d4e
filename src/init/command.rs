//! A command as a check needs it: with `"$1"` for the file, and without paths that hold in one folder only.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::error::shell_word;

/// A command in the shell's language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    shell: String,
    is_compiler: bool,
}

impl Command {
    /// From the words of a command line. The file's name in them stands for the file, relative paths to what is there are made
    /// absolute by `absolute` (which gives `None` for all others), and a command without the file gets it at its end, if it is not a
    /// compiler whose product is to be run (`makes_program`).
    pub fn from_words(
        words: &[OsString],
        file: &Path,
        makes_program: bool,
        absolute: impl Fn(&Path) -> Option<PathBuf>,
    ) -> Self {
        let first = words.first().map_or(Path::new(""), Path::new);
        let mut names_file = false;
        let mut shell: Vec<String> = Vec::new();
        for word in words {
            let is_file =
                Path::new(word) == file || Path::new(word).file_name() == file.file_name();
            let text = word.to_string_lossy();
            if is_file || text.contains("@@") {
                names_file = true;
                shell.push(if is_file {
                    "\"$1\"".into()
                } else {
                    with_path(&text)
                });
            } else {
                let outside = absolute(Path::new(word));
                shell.push(outside.map_or_else(|| with_option(&text, &absolute), shell_word));
            }
        }
        Self::finished(shell.join(" "), first, names_file, makes_program)
    }

    /// From a text in the shell's language.
    pub fn from_text(
        text: &str,
        file: &Path,
        makes_program: bool,
        absolute: impl Fn(&Path) -> Option<PathBuf>,
    ) -> Self {
        let plain = !text.contains(|c: char| "'\"\\$`;|&<>()*?#~=%\n".contains(c));
        if plain {
            let words: Vec<OsString> = text.split_whitespace().map(OsString::from).collect();
            return Self::from_words(&words, file, makes_program, absolute);
        }
        let first = text.split_whitespace().next().unwrap_or_default();
        let script = format!("sh -c {} sh \"$1\"", shell_word(with_parameter(text)));
        Self::finished(script, Path::new(first), text.contains("@@"), makes_program)
    }

    fn finished(shell: String, first: &Path, names_file: bool, makes_program: bool) -> Self {
        let is_compiler = makes_program && !names_file && is_compiler(first);
        let shell = if names_file || is_compiler {
            shell
        } else {
            format!("{shell} \"$1\"")
        };
        Self { shell, is_compiler }
    }

    /// The text for a script.
    pub fn shell(&self) -> &str {
        &self.shell
    }

    /// Whether it makes a program of the file, which is to be run.
    pub fn is_compiler(&self) -> bool {
        self.is_compiler
    }
}

/// A word with the file's path inside it.
fn with_path(word: &str) -> String {
    if word == "@@" {
        return "\"$1\"".into();
    }
    let parts = word.split("@@").map(|part| {
        if part.is_empty() {
            String::new()
        } else {
            shell_word(part)
        }
    });
    parts.collect::<Vec<_>>().join("\"$1\"")
}

/// A text of the shell in which the path is the first parameter, also inside quotes.
fn with_parameter(text: &str) -> String {
    let mut out = String::new();
    let mut quote = None;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("@@") {
            out.push_str(match quote {
                Some('\'') => "'\"$1\"'",
                Some(_) => "$1",
                None => "\"$1\"",
            });
            rest = after;
            continue;
        }
        if c == '\'' || c == '"' {
            match quote {
                None => quote = Some(c),
                Some(open) if open == c => quote = None,
                Some(_) => {}
            }
        }
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    out
}

/// An option with a path in the same word, such as `-Iinclude`.
fn with_option(word: &str, absolute: &impl Fn(&Path) -> Option<PathBuf>) -> String {
    let found = ["-I", "-L", "-isystem", "-include"]
        .iter()
        .find_map(|option| {
            let path = absolute(Path::new(word.strip_prefix(option)?))?;
            Some(format!("{option}{}", path.display()))
        });
    shell_word(found.unwrap_or_else(|| word.to_owned()))
}

/// Whether a program's name is that of a C or C++ compiler.
fn is_compiler(program: &Path) -> bool {
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    let base = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    let base = base.rsplit('-').next().unwrap_or(base);
    [
        "cc", "gcc", "clang", "tcc", "icx", "icc", "c++", "g++", "clang++", "icpx",
    ]
    .contains(&base)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn absolute(path: &Path) -> Option<PathBuf> {
        ["./tool", "include"]
            .iter()
            .any(|known| path == Path::new(known))
            .then(|| Path::new("/here").join(path.strip_prefix("./").unwrap_or(path)))
    }

    fn shell(text: &str) -> String {
        Command::from_text(text, Path::new("bug.c"), false, absolute).shell
    }

    #[test]
    fn the_file_is_the_parameter_wherever_it_stands() {
        assert_eq!(shell("gcc -c @@"), "gcc -c \"$1\"");
        assert_eq!(shell("gcc -c bug.c"), "gcc -c \"$1\"");
        assert_eq!(shell("gcc -c"), "gcc -c \"$1\"");
        assert_eq!(
            shell("cc -Iinclude --in:@@"),
            "cc -I/here/include --in:\"$1\""
        );
        assert_eq!(shell("./tool @@"), "/here/tool \"$1\"");
        assert_eq!(
            with_parameter("a 'b @@' \"@@\" @@"),
            "a 'b '\"$1\"'' \"$1\" \"$1\""
        );
    }

    #[test]
    fn a_text_with_shell_in_it_stays_one() {
        let text = shell("gcc @@ && ./a.out | sort");
        assert!(
            text.starts_with("sh -c 'gcc \"$1\" && ./a.out | sort' sh"),
            "{text}"
        );
    }

    #[test]
    fn a_compiler_makes_a_program_when_it_does_not_name_the_file() {
        let compiler = |text| Command::from_text(text, Path::new("a.c"), true, |_| None);
        assert!(compiler("gcc-13 -O2").is_compiler());
        assert!(compiler("x86_64-linux-gnu-g++-12 -O2").is_compiler());
        assert!(!compiler("gcc -O2 @@").is_compiler());
        assert!(!compiler("node").is_compiler());
    }
}
