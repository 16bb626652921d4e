//! What each error says, and how words are quoted for a shell.

use super::*;

#[test]
fn shell_words_come_back_as_they_were() {
    assert_eq!(shell_word("a/b.c"), "a/b.c");
    assert_eq!(shell_word(""), "''");
    assert_eq!(shell_word("it's"), r"'it'\''s'");
    assert_eq!(shell_word("a b;$x"), "'a b;$x'");
    let odd = OsStr::from_bytes(b"\xffa\n '");
    assert_eq!(shell_word(odd), r"$'\377a\012 \047'");
}

#[test]
fn each_outcome_that_a_script_tells_apart_has_its_own_exit_code() {
    let usage = Error::Usage {
        problem: String::new(),
        hint: String::new(),
    };
    let missing = Error::NoSuchFile {
        path: PathBuf::new(),
        similar: None,
    };
    let run = FirstRun {
        command: String::new(),
        folder: PathBuf::new(),
        status: String::new(),
        wanted: String::new(),
        cause: None,
        remedy: None,
        last_lines: vec![],
        repeat: String::new(),
    };
    assert_eq!(
        [
            missing.exit_code(),
            usage.exit_code(),
            Error::NotInteresting(Box::new(run)).exit_code()
        ],
        [1, 2, 3]
    );
}

/// All that stands in the way, with what the system says for each of these reasons.
fn of_the_system() -> Vec<Error> {
    use io::ErrorKind::{
        FileTooLarge, InvalidFilename, NotADirectory, NotFound, PermissionDenied, StorageFull,
    };
    let path = || PathBuf::from("some/place");
    let kinds = [
        FileTooLarge,
        InvalidFilename,
        NotADirectory,
        NotFound,
        PermissionDenied,
        StorageFull,
    ];
    let mut all = Vec::new();
    for kind in kinds {
        let source = || io::Error::from(kind);
        let (path, doing) = (path(), "doing something".to_owned());
        all.extend([
            Error::CannotRead {
                path: path.clone(),
                source: source(),
            },
            Error::CannotWrite {
                path: path.clone(),
                source: source(),
            },
            Error::NoTemporaryFolder {
                path,
                source: source(),
            },
            Error::System {
                doing,
                source: source(),
            },
        ]);
    }
    let source = io::Error::from_raw_os_error(TOO_MANY_OPEN_FILES);
    all.push(Error::System {
        doing: "opening".into(),
        source,
    });
    let (path, source) = ("standard output".into(), io::Error::other("it is closed"));
    all.push(Error::CannotWrite { path, source });
    all
}

/// What the rooms below say, as it arrives here.
fn of_other_rooms() -> Vec<Error> {
    let source = || io::Error::other("no");
    let folder = || "some/folder".to_owned();
    vec![
        OracleError::Start {
            program: "./check.sh".into(),
            source: source(),
        }
        .into(),
        OracleError::Folder {
            folder: folder(),
            source: source(),
        }
        .into(),
        OracleError::Temporary {
            folder: folder().into(),
            source: source(),
        }
        .into(),
        OracleError::System {
            action: "wait",
            source: source(),
        }
        .into(),
        OutputError::BackupExists("bug.c.orig".into()).into(),
        JournalError::Unknown("state/journal".into()).into(),
        JournalError::InUse("state".into()).into(),
        JournalError::System {
            path: "state/journal".into(),
            source: source(),
        }
        .into(),
    ]
}

/// What is wrong with inputs and checks.
fn of_the_user() -> Vec<Error> {
    let (path, file) = (|| PathBuf::from("check.sh"), || PathBuf::from("bug.c"));
    let mut all = vec![
        Error::NotAFile {
            path: path(),
            kind: "a folder",
        },
        Error::NotAFile {
            path: path(),
            kind: "a pipe",
        },
        Error::EmptyFile {
            path: "standard input".into(),
        },
        Error::EmptyFile { path: file() },
        Error::CheckNotExecutable {
            path: path(),
            swapped: None,
        },
        Error::CheckWithoutShebang { path: path() },
        Error::NoInterpreter {
            path: path(),
            interpreter: "/bin/shh".into(),
        },
        Error::CheckWithDosLines { path: path() },
        Error::NoSuchCommand {
            program: "gccc".into(),
        },
        Error::OriginalKept { path: file() },
    ];
    for why in [
        Blind::ReadsOriginal("/home/me/bug.c".into()),
        Blind::NeverLooks,
        Blind::Unknown,
    ] {
        let remedy = None;
        all.push(Error::EmptyAccepted {
            path: file(),
            why,
            remedy,
        });
    }
    let run = FirstRun {
        command: "./check.sh bug.c".into(),
        folder: "/tmp/run".into(),
        status: "exit status 1".into(),
        wanted: "exit status 0".into(),
        cause: Some("something is missing".into()),
        remedy: None,
        last_lines: vec![],
        repeat: "cd /tmp/run && ./check.sh bug.c".into(),
    };
    all.push(Error::NotInteresting(Box::new(run)));
    all
}

#[test]
fn each_error_says_what_happened_and_what_to_do() {
    let all = of_the_user().into_iter().chain(of_other_rooms());
    let all = all.chain(of_the_system());
    let said = all.map(|error| format!("{error}\n    {}\n", error.hint()));
    insta::assert_snapshot!(said.collect::<String>());
}
