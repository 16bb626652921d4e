use crate::{
    pass::testing::{results, sample},
    syntax::{Language, Splice, StaticSingle},
};

fn facts() -> StaticSingle {
    let ends = ["br", "invoke", "ret", "switch", "unreachable"];
    StaticSingle {
        scope: "fn_define".into(),
        lost: "undef".into(),
        address: "blockaddress".into(),
        ends: ends.map(String::from).to_vec(),
        forms: Vec::new(),
    }
}

/// What [`super::rest`] leaves of the text of a function.
fn rest(before: &[u8], inside: &[Splice], start: usize, facts: &StaticSingle) -> Option<Vec<u8>> {
    super::rest(before, inside, start, facts).map(|rest| rest.text)
}

/// What is left of a function without the text that begins and ends like this, on one line.
fn without(text: &str, from: &str, to: &str) -> String {
    let start = text.find(from).unwrap();
    let end = start + text[start..].find(to).unwrap() + to.len();
    let splices = [Splice::deletion(start..end)];
    let whole = rest(text.as_bytes(), &splices, 0, &facts());
    let whole = whole.unwrap_or_else(|| [&text[..start], &text[end..]].concat().into_bytes());
    on_one_line(&String::from_utf8(whole).unwrap())
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

const LOOP: &str = "define i32 @f(i32 %0, i1 %c) {
  br label %2

2: ; preds = %2, %1
  %3 = phi i32 [ 0, %1 ], [ %4, %2 ]
  %4 = add i32 %3, %0
  br i1 %c, label %2, label %5

5:
  %6 = phi i32 [ %4, %2 ]
  switch i32 %6, label %7 [
    i32 1, label %8
    i32 2, label %7
  ]

7:
  ret i32 %6

8:
  %9 = phi i32 [ %3, %5 ]
  ret i32 %9
}
";

#[test]
fn what_loses_nothing_stays() {
    assert!(rest(LOOP.as_bytes(), &[], 0, &facts()).is_none());
}

#[test]
fn a_value_that_has_gone_is_nothing_of_account_and_the_rest_is_numbered_again() {
    let left = without(LOOP, "%4 = ", "%0\n");
    assert!(left.contains("%3 = phi i32 [ 0, %1 ], [ undef, %2 ] br i1 %c, label %2, label %4 4: %5 = phi i32 [ undef, %2 ]"), "{left}");
}

#[test]
fn a_jump_that_has_gone_leads_on_to_the_next_block() {
    let left = without(LOOP, "br i1", "label %5\n");
    assert!(left.contains("2: ; preds = %2, %1 %3 = phi i32 [ 0, %1 ] %4 = add i32 %3, %0 br label %5 5: %6 = phi i32 [ %4, %2 ]"), "{left}");
}

#[test]
fn with_a_label_goes_its_block_and_what_only_it_leads_to() {
    let left = without(LOOP, "5:\n", "\n");
    assert_eq!(
        left,
        "define i32 @f(i32 %0, i1 %c) { br label %2 2: ; preds = %2, %1 %3 = phi i32 [ 0, %1 ], [ %4, %2 ] %4 = add i32 %3, %0 br label %2 }"
    );
}

#[test]
fn a_jump_to_what_only_jumped_on_goes_there_at_once() {
    let text = "define i32 @f() {\n  br label %1\n\n1:\n  br label %2\n\n2:\n  br label %3\n\n3:\n  %4 = phi i32 [ 5, %2 ]\n  ret i32 %4\n}\n";
    assert_eq!(
        without(text, "1:", "2:"),
        "define i32 @f() { br label %1 1: %2 = phi i32 [ 5, %0 ] ret i32 %2 }"
    );
}

#[test]
fn each_jump_through_a_block_that_has_gone_brings_its_value() {
    let text = "define i32 @f(i1 %c) {\n  br i1 %c, label %a, label %b\na:\n  call void @g()\n  br label %m\nb:\n  call void @h()\n  br label %m\nm:\n  br label %t\nt:\n  %r = phi i32 [ 5, %m ]\n  ret i32 %r\n}\n";
    let left = without(text, "m:", "t\n");
    assert!(left.contains("phi i32 [ 5, %a ], [ 5, %b ]"), "{left}");
}

#[test]
fn the_only_value_of_a_phi_takes_its_place_in_a_joined_block() {
    let text = "define i32 @f(i32 %a) {\n  %c = add i32 %a, 1\n  br label %d\nd:\n  %x = phi i32 [ %c, %0 ]\n  %y = phi i32 [ %x, %0 ]\n  ret i32 %y\n}\n";
    assert_eq!(
        without(text, "br label", "d:"),
        "define i32 @f(i32 %a) { %c = add i32 %a, 1 ret i32 %c }"
    );
}

#[test]
fn a_switch_loses_the_cases_whose_blocks_have_gone() {
    let left = without(LOOP, "8:\n", "%9\n");
    assert!(
        left.contains("switch i32 %6, label %7 [ i32 2, label %7 ] 7: ret i32 %6 }"),
        "{left}"
    );
    let left = without(LOOP, "7:\n", "%6\n");
    assert!(
        left.contains("br label %7 7: %8 = phi i32 [ %3, %5 ] ret i32 %8 }"),
        "{left}"
    );
}

#[test]
fn a_switch_without_its_brackets_loses_cases_too() {
    let text = "define i32 @f(i32 %0) {
  switch i32 %0, label %2 [ i32 1, label %3 i32 2, label %4 ]

2:
  ret i32 1

3:
  ret i32 2

4:
  ret i32 3
}
";
    let at = |part| text.find(part).unwrap();
    let gone = [
        at("[ ")..at("[ ") + 2,
        at(" ]")..at(" ]") + 2,
        at("3:\n")..at("4:\n"),
    ];
    let whole = rest(text.as_bytes(), &gone.map(Splice::deletion), 0, &facts()).unwrap();
    let whole = String::from_utf8(whole).unwrap();
    assert!(whole.contains("label %2 [ i32 2, label %3 ]"), "{whole}");
}

/// Edits may take anything: what is left need not be a function any more, but a text comes out, and once it is whole it stays so.
#[test]
fn whatever_goes_the_rest_is_made_whole_once() {
    for text in [LOOP, CALLS] {
        let joints: Vec<usize> = joints(text);
        for (place, &start) in joints.iter().enumerate() {
            for &end in &joints[place + 1..] {
                let splices = [Splice::deletion(start..end)];
                let Some(whole) = rest(text.as_bytes(), &splices, 0, &facts()) else {
                    continue;
                };
                let again = rest(&whole, &[], 0, &facts()).unwrap_or_else(|| whole.clone());
                let third = rest(&again, &[], 0, &facts());
                assert!(third.is_none(), "{}", String::from_utf8_lossy(&whole));
            }
        }
    }
}

/// Where a word begins or ends.
fn joints(text: &str) -> Vec<usize> {
    let is_word = |at: usize| text.as_bytes()[at].is_ascii_alphanumeric();
    (1..text.len())
        .filter(|&at| !is_word(at) || !is_word(at - 1))
        .collect()
}

const CALLS: &str = "define void @f(i1 %c) personality ptr @p {
  br i1 %c, label %1, label %2

1:
  %x = invoke i32 @g(i32 2)
    to label %2 unwind label %3

2:
  ret void

3:
  %4 = landingpad i1 cleanup
  switch i1 %4, label %1 [ i1 0, label %2
    i1 1, label %3 ]
}
";

#[test]
fn blocks_that_are_joined_hand_their_name_on() {
    let left = without(LOOP, "br label %2", "[ %4, %2 ]\n");
    assert_eq!(
        &left[..left.find("switch").unwrap()],
        "define i32 @f(i32 %0, i1 %c) { %2 = add i32 undef, %0 br label %3 3: %4 = phi i32 [ %2, %1 ] "
    );
}

#[test]
fn an_invocation_without_the_block_for_failures_is_a_call() {
    let text = "define void @f() personality ptr @p {\n  %1 = invoke i32 @g(i32 2)\n    to label %2 unwind label %3\n\n2:\n  ret void\n\n3:\n  %4 = landingpad i1 cleanup\n  ret void\n}\n";
    assert_eq!(
        without(text, "3:\n", "ret void\n"),
        "define void @f() personality ptr @p {%1 = call i32 @g(i32 2) br label %2 2: ret void }"
    );
}

#[test]
fn a_first_block_may_lose_its_label() {
    let text = "define i32 @f(%t* %0, %t*, [2 x i8] %a) {\nstart:\n  br label %n\nn:\n  %x = phi i32 [ 1, %start ]\n  ret i32 %x\n}\n";
    assert_eq!(
        without(text, "start:", "\n"),
        "define i32 @f(%t* %0, %t*, [2 x i8] %a) { br label %n n: %x = phi i32 [ 1, %2 ] ret i32 %x }"
    );
}

#[test]
fn units_of_a_function_leave_it_whole() {
    if Language::named("llvm").is_none() {
        return;
    }
    let text = "define i32 @f(i32 %0, i32 %1) {\n  %3 = add i32 %0, 1\n  %4 = mul i32 %1, %3\n  br label %5\n\n5:\n  %6 = phi i32 [ %4, %2 ]\n  ret i32 %6\n}\n";
    let sample = sample("llvm", text);
    let units: Vec<_> = sample
        .units()
        .iter()
        .map(|unit| unit.proposal.clone())
        .collect();
    let found = results(sample.document(), &units);
    let squeezed: Vec<String> = found
        .iter()
        .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    for wanted in [
        "define i32 @f(i32 %0, i32 %1) { %3 = mul i32 %1, undef br label %4 4: %5 = phi i32 [ %3, %2 ] ret i32 %5 }",
        "define i32 @f(i32 %0) { %2 = add i32 %0, 1 %3 = mul i32 undef, %2 br label %4 4: %5 = phi i32 [ %3, %1 ] ret i32 %5 }",
    ] {
        assert!(squeezed.iter().any(|text| text == wanted), "{squeezed:#?}");
    }
}

/// How many instructions of a function do not fit.
fn misfits(text: &str) -> usize {
    let language = Language::named("llvm").unwrap();
    let facts = language.facts().static_single.as_ref().unwrap();
    super::Function::of(text.as_bytes()).map_or(0, |function| super::fit::misfits(&function, facts))
}

#[test]
fn what_compilers_write_fits() {
    if Language::named("llvm").is_none() {
        return;
    }
    let text = "define noundef i32 @f(%t* noundef %p, i32 %n, ptr %q, <2 x double> %v) #0 {\n  %a = alloca [4 x i32], align 16\n\
        %b = getelementptr inbounds [4 x i32], [4 x i32]* %a, i64 0, i64 0, !dbg !1\n  %c = load volatile i32, i32* %b, align 4, !tbaa !2\n\
        %d = tail call fastcc noundef i32 (i8*, ...) @g(i8* noundef null, i32 noundef %c, double 1.0e+00) #1\n\
        %e = icmp ult i32 %d, %n\n  %w = fadd fast <2 x double> %v, %v\n  br i1 %e, label %x, label %y, !prof !3\nx:\n\
        %h = zext i32 %n to i64\n  store i64 %h, ptr %q, align 8\n  call void @llvm.dbg.value(metadata i32 %n, metadata !3, metadata !DIExpression())\n\
        switch i64 %h, label %z [\n    i64 1, label %y\n    i64 -2, label %x\n  ]\ny:\n  br label %z, !llvm.loop !5\nz:\n\
        %s = phi i32 [ 0, %x ], [ %c, %y ]\n  %u = select i1 %e, i32 %s, i32 7\n  ret i32 %u\n}\n";
    assert_eq!(misfits(text), 0);
    for (from, to) in [
        ("i32* %b", "i32 %b"),
        ("icmp ult i32", "icmp ult i1"),
        ("i1 %e, label %x", "i1 %e, label"),
        ("i64 1, label %y", "i64 , label %y"),
        ("i64 1, label %y", "i64 1, label"),
        ("i64 1, label %y", "i1 1, label %y"),
        ("label %z [", "label 0 ["),
        ("br label %z", "br label"),
        ("br label %z", "br i1"),
        ("[ %c, %y ]", "[ %h, %y ]"),
        ("store i64 %h", "store i64"),
        ("to i64", "to"),
        ("fast <2", "fast i32 <2"),
        ("ret i32 %u", "ret void"),
        ("ret i32 %u", "ret i64 %h"),
        ("ret i32 %u", "ret i32"),
    ] {
        assert!(misfits(&text.replacen(from, to, 1)) > 0, "{to}");
    }
    // However little is left of an instruction, it is looked at.
    for (from, _) in text.match_indices(['(', ',', '=', '*', '<']) {
        misfits(&format!("{}\n}}\n", &text[..=from]));
        for length in [1, 3, 9] {
            let end = (from + length).min(text.len());
            misfits(&[&text[..from], &text[end..]].concat());
        }
    }
}

/// What is offered instead of what the instructions of a function give, each on one line.
fn with_other_values(lines: &[&str]) -> Vec<String> {
    const HEAD: &str = "define i32 @f(ptr %p, ptr %q, i32 %k, i32 %n, i64 %m) {";
    let sample = sample("llvm", &format!("{HEAD}\n{}\n}}\n", lines.join("\n")));
    let inner = |text: String| {
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let inner = words
            .strip_prefix(HEAD)
            .and_then(|it| it.strip_suffix(" }"));
        inner.map(|inner| inner.trim().to_string()).unwrap()
    };
    let results = results(sample.document(), &super::earlier_values(&sample));
    results.into_iter().map(inner).collect()
}

#[test]
fn what_is_loaded_gives_way_to_what_was_stored_there() {
    if Language::named("llvm").is_none() {
        return;
    }
    let stores = "store i32 7, ptr %p store i64 %m, ptr %q";
    let [a, b, c] = [
        "%a = load i32, ptr %p",
        "%b = load i32, ptr %q",
        "%c = add i32 %a, %b",
    ];
    let found = with_other_values(&[
        "store i32 7, ptr %p",
        "store i64 %m, ptr %q",
        a,
        b,
        c,
        "ret i32 %c",
    ]);
    let expected = [
        format!("{stores} {b} %c = add i32 7, %b ret i32 %c"),
        format!("{stores} {b} %c = add i32 %n, %b ret i32 %c"),
        format!("{stores} {b} %c = add i32 %k, %b ret i32 %c"),
        // What was stored has another type.
        format!("{stores} {a} %c = add i32 %a, %a ret i32 %c"),
        format!("{stores} {a} %c = add i32 %a, %k ret i32 %c"),
        format!("{stores} {a} {b} ret i32 %a"),
        format!("{stores} {a} {b} ret i32 %b"),
        format!("{stores} {a} {b} ret i32 %k"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn what_an_instruction_gives_gives_way_to_what_it_is_made_of_through_other_types() {
    if Language::named("llvm").is_none() {
        return;
    }
    let [a, b, c] = [
        "%a = sext i32 %n to i64",
        "%b = add i32 %k, 1",
        "%c = trunc i64 %a to i32",
    ];
    let found = with_other_values(&[a, b, c, "store i32 %b, ptr %p", "ret i32 %c"]);
    let store = "store i32 %b, ptr %p";
    let expected = [
        format!("{b} %c = trunc i64 %m to i32 {store} ret i32 %c"),
        format!("{a} {c} store i32 %k, ptr %p ret i32 %c"),
        format!("{a} {c} store i32 %n, ptr %p ret i32 %c"),
        format!("{a} {b} {store} ret i32 %n"),
        format!("{a} {b} {store} ret i32 %b"),
        format!("{a} {b} {store} ret i32 %k"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn what_goes_around_a_loop_is_used_before_it_is_made() {
    if Language::named("llvm").is_none() {
        return;
    }
    let found = with_other_values(&[
        "e:",
        "br label %l",
        "l:",
        "%i = phi i32 [ 0, %e ], [ %j, %l ]",
        "%j = add i32 %i, 1",
        "br label %l",
    ]);
    let wanted = "e: br label %l l: %i = phi i32 [ 0, %e ], [ %i, %l ] br label %l";
    assert!(found.iter().any(|text| text == wanted), "{found:#?}");
}

#[test]
fn what_nothing_uses_or_nothing_of_its_type_stands_before_stays() {
    if Language::named("llvm").is_none() {
        return;
    }
    let found = with_other_values(&[
        "%a = add i32 %n, 1",
        "%b = icmp eq i32 %n, 1",
        "%c = zext i1 %b to i8",
        "store i8 %c, ptr %p",
        "ret i32 0",
    ]);
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn addresses_of_blocks_follow_them() {
    let text = "@t = global [2 x ptr] [ptr blockaddress(@f, %2), ptr blockaddress(@f, %3)]
define void @f(ptr %0) {
  indirectbr ptr %0, [label %2, label %3]

2:
  store ptr blockaddress(@f, %2), ptr %0
  store ptr blockaddress(@f, %3), ptr %0
  ret void

3:
  ret void
}
";
    let sample = sample("llvm", text);
    let found = results(sample.document(), &super::blocks(&sample));
    let found: Vec<String> = found.iter().map(|text| on_one_line(text)).collect();
    assert_eq!(
        found,
        [
            "@t = global [2 x ptr] [ptr undef, ptr blockaddress(@f, %2)] define void @f(ptr %0) {indirectbr ptr %0, [label %2] 2: ret void }",
            "@t = global [2 x ptr] [ptr blockaddress(@f, %2), ptr undef] define void @f(ptr %0) {indirectbr ptr %0, [label %2] 2: store ptr blockaddress(@f, %2), ptr %0 store ptr undef, ptr %0 ret void }",
        ]
    );
}

#[test]
fn an_address_follows_a_block_without_which_its_function_is_whole() {
    let text =
        "@t = global ptr blockaddress(@f, %b)\ndefine void @f() {\n  ret void\nb:\n  ret void\n}\n";
    let sample = sample("llvm", text);
    let found = results(sample.document(), &super::blocks(&sample));
    let found: Vec<String> = found.iter().map(|text| on_one_line(text)).collect();
    assert_eq!(
        found,
        ["@t = global ptr undef define void @f() { ret void }"]
    );
}

#[test]
fn a_branch_without_blocks_leads_nowhere() {
    let left = without(LOOP, ", label %2, label", "%5");
    assert!(left.contains("%4 = add i32 %3, %0 unreachable }"), "{left}");
}
