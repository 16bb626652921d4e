//! Completions for shells: files where a check and the files to reduce stand, and programs behind `--`.
//!
//! What `clap_complete` writes for bash offers options where files are wanted, and no shell's script knows of `doctor`, `init` and `batch`; so the
//! script for bash is written here, and those for fish and zsh are completed.

use std::fmt::Write as _;

use clap::{Arg, Command, ValueHint};
use clap_complete::Shell;

/// The words that stand in the place of a check, with what they do.
const TASKS: [(&str, &str); 3] = [
    ("doctor", "say what is wrong with a check"),
    ("init", "write a check"),
    ("batch", "reduce many bugs"),
];

/// The script for a shell. `reduce` and `init` have the options.
pub(super) fn script(shell: Shell, reduce: &mut Command, init: &mut Command) -> String {
    let mut generated = Vec::new();
    clap_complete::generate(shell, reduce, "paredown", &mut generated);
    let generated = String::from_utf8_lossy(&generated).into_owned();
    match shell {
        Shell::Bash => bash(reduce, init),
        Shell::Fish => generated + &fish(init),
        Shell::Zsh => zsh(&generated),
        _ => generated,
    }
}

fn bash(reduce: &Command, init: &Command) -> String {
    BASH.replace("INIT_CASES", &bash_cases(init))
        .replace("REDUCE_CASES", &bash_cases(reduce))
        .replace("INIT_OPTIONS", &options(init).join(" "))
        .replace("REDUCE_OPTIONS", &options(reduce).join(" "))
        .replace("TASKS", &TASKS.map(|(word, _)| word).join(" "))
}

/// `compgen -f` says which files there are; that they are files is said too, for a slash behind folders and for quotes.
const BASH: &str = r#"_paredown() {
    local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" at
    local IFS=$'\n'
    COMPREPLY=()
    for ((at = 1; at < COMP_CWORD; at++)); do
        if [[ ${COMP_WORDS[at]} == -- ]]; then
            if ((at == COMP_CWORD - 1)); then
                COMPREPLY=($(compgen -c -- "$cur"))
            else
                _paredown_files -f
            fi
            return
        fi
    done
    # A word like --language=py comes as three.
    [[ $cur == = ]] && cur=
    [[ $prev == = ]] && prev="${COMP_WORDS[COMP_CWORD-2]}"
    if [[ ${COMP_WORDS[1]} == init ]] && ((COMP_CWORD > 1)); then
        case $prev in
INIT_CASES        esac
        [[ $cur == -* ]] && _paredown_words INIT_OPTIONS && return
    else
        case $prev in
REDUCE_CASES        esac
        [[ $cur == -* ]] && _paredown_words REDUCE_OPTIONS && return
    fi
    _paredown_files -f
    if ((COMP_CWORD == 1)) && [[ -n $cur ]]; then
        COMPREPLY+=($(IFS=' '; compgen -W 'TASKS' -- "$cur"))
    fi
}

_paredown_words() {
    local IFS=' '
    COMPREPLY=($(compgen -W "$*" -- "$cur"))
}

_paredown_files() {
    COMPREPLY=($(compgen "$1" -- "$cur"))
    compopt -o filenames 2> /dev/null
}

complete -F _paredown paredown
"#;

/// What may follow each option that has a value.
fn bash_cases(command: &Command) -> String {
    let mut cases = String::new();
    for argument in command
        .get_arguments()
        .filter(|argument| takes_value(argument))
    {
        let values = values(argument);
        let action = match argument.get_value_hint() {
            _ if !values.is_empty() => format!("_paredown_words {}", values.join(" ")),
            ValueHint::DirPath => "_paredown_files -d".to_owned(),
            ValueHint::FilePath => "_paredown_files -f".to_owned(),
            _ => ":".to_owned(),
        };
        let names = names(argument).join("|");
        let _ = writeln!(cases, "            {names}) {action}; return ;;");
    }
    cases
}

/// Whether the option has a value that is a word of its own.
fn takes_value(argument: &Arg) -> bool {
    let takes = argument.get_action().takes_values() && !argument.is_positional();
    takes && !argument.is_require_equals_set()
}

fn values(argument: &Arg) -> Vec<String> {
    let values = argument.get_possible_values().into_iter();
    values.map(|value| value.get_name().to_owned()).collect()
}

fn names(argument: &Arg) -> Vec<String> {
    let short = argument.get_short().map(|short| format!("-{short}"));
    let long = argument.get_long().map(|long| format!("--{long}"));
    short.into_iter().chain(long).collect()
}

fn options(command: &Command) -> Vec<String> {
    let shown = command
        .get_arguments()
        .filter(|argument| !argument.is_hide_set());
    shown
        .flat_map(names)
        .filter(|name| name.starts_with("--"))
        .collect()
}

/// The words for the other tasks, and the options of `init`.
fn fish(init: &Command) -> String {
    let mut lines = String::new();
    for (word, about) in TASKS {
        let _ = writeln!(
            lines,
            "complete -c paredown -n 'test (count (commandline -opc)) -eq 1' -a {word} -d '{about}'"
        );
    }
    for argument in init.get_arguments() {
        let Some(long) = argument.get_long() else {
            continue;
        };
        let _ = write!(
            lines,
            "complete -c paredown -n '__fish_seen_subcommand_from init' -l {long}"
        );
        if argument.get_action().takes_values() {
            let _ = write!(lines, " -r -a '{}'", values(argument).join(" "));
        }
        lines.push('\n');
    }
    lines
}

/// The place of the files also has the words for the other tasks, and programs behind `--`.
fn zsh(generated: &str) -> String {
    let tasks = TASKS.map(|(word, about)| format!("'{word}:{about}'"));
    let inputs = ZSH.replace("TASKS", &tasks.join(" "));
    let at = generated.find("'*::inputs").unwrap_or(generated.len());
    let (before, places) = generated.split_at(at);
    let places = places.replacen("'*::inputs", "'*:inputs", 1);
    let places = places.replacen(":_files'", ":_paredown_inputs'", 1);
    let (head, body) = before.split_once("_paredown() {").unwrap_or((before, ""));
    format!("{head}{inputs}_paredown() {{{body}{places}")
}

const ZSH: &str = r"_paredown_inputs() {
    local -a tasks=(TASKS)
    local at=${words[(i)--]}
    if (( at == CURRENT - 1 )); then
        _command_names -e
    else
        (( CURRENT == 2 )) && [[ -n $PREFIX ]] && _describe task tasks
        _files
    fi
}

";
