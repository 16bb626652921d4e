//! What leaves this folder is whole: the crate's package, a program without libraries, the Debian package.
//!
//! The ones that build take minutes and are for who makes a release:
//!
//! ```sh
//! cargo test --locked --test it packaging -- --ignored --nocapture --test-threads 1
//! ```

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::harness::{TestEnv, have};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.args(args).current_dir(root());
    command
}

#[track_caller]
fn done(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{said}");
    output
}

/// Reduces an example with a program that was built in some way.
#[track_caller]
fn works(program: &Path) {
    let env = TestEnv::new();
    env.write("bug.c", "int a;\nint bug;\n");
    env.check("check.sh", "grep -q bug \"$1\"");
    let mut command = env.command_of(program.to_str().unwrap());
    done(command.args(["-q", "check.sh", "bug.c"]));
    assert_eq!(env.text("bug.reduced.c"), "bug\n");
}

/// A folder for a build, kept from run to run, so that a second one is quick.
fn target(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn the_package_has_all_that_its_build_needs() {
    let listed = done(&mut cargo(&[
        "package",
        "--list",
        "--allow-dirty",
        "--offline",
    ]));
    let listed = String::from_utf8(listed.stdout).unwrap();
    let listed: Vec<&str> = listed.lines().collect();
    let mut wanted = vec![
        "Cargo.toml".to_owned(),
        "Cargo.lock".to_owned(),
        "README.md".to_owned(),
        "LICENSE".to_owned(),
        "build.rs".to_owned(),
        "schema/events-1.json".to_owned(),
    ];
    let mut open = vec![root().join("grammars"), root().join("src")];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(root()).unwrap();
                wanted.push(name.display().to_string());
            }
        }
    }
    // What is not written yet is in no package.
    wanted.retain(|name| !name.ends_with(".snap.new"));
    for name in wanted {
        assert!(
            listed.contains(&name.as_str()),
            "{name} is not in the package"
        );
    }
    assert!(
        !listed.iter().any(|name| name.starts_with(".ci")),
        "{listed:?}"
    );
}

#[test]
#[ignore = "builds everything: minutes"]
fn the_package_builds_from_its_own_archive() {
    let target = target("package");
    let mut package = cargo(&["package", "--allow-dirty", "--locked"]);
    done(package.env("CARGO_TARGET_DIR", &target));
    let version = env!("CARGO_PKG_VERSION");
    let folder = target.join(format!("package/paredown-{version}"));
    // It was built there; the program says which commit it is of, as far as that is known.
    assert!(folder.join("grammars/c/language.toml").exists());
    works(&target.join("debug/paredown"));
}

#[test]
#[ignore = "builds everything: minutes"]
fn a_program_without_libraries_works() {
    // The C library of most Linux systems does it, musl where it is there.
    let musl = "x86_64-unknown-linux-musl";
    let sysroot = done(Command::new("rustc").args(["--print", "sysroot"])).stdout;
    let sysroot = String::from_utf8(sysroot).unwrap();
    let has_musl = Path::new(sysroot.trim())
        .join("lib/rustlib")
        .join(musl)
        .exists();
    let version = done(Command::new("rustc").arg("-vV")).stdout;
    let version = String::from_utf8(version).unwrap();
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let platform = if has_musl { musl } else { host.unwrap() };
    if !has_musl {
        eprintln!("skipped for {musl}: `rustup target add {musl}` first; built for {platform}");
    }
    let target = target("static");
    let mut build = cargo(&["build", "--locked", "--target", platform]);
    build.env("RUSTFLAGS", "-C target-feature=+crt-static");
    done(build.env("CARGO_TARGET_DIR", &target));
    let program = target.join(platform).join("debug/paredown");
    let libraries = Command::new("ldd").arg(&program).output().unwrap();
    let said = [libraries.stdout, libraries.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(said.contains("static"), "{said}");
    works(&program);
}

#[test]
#[ignore = "builds everything: minutes"]
fn the_debian_package_has_the_program_and_its_page() {
    if !have("cargo-deb") || !have("dpkg-deb") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let made = folder.path().join("paredown.deb");
    done(cargo(&["deb", "--locked", "--output"]).arg(&made));
    let root = folder.path().join("root");
    done(Command::new("dpkg-deb").arg("-x").args([&made, &root]));
    works(&root.join("usr/bin/paredown"));
    assert!(root.join("usr/share/doc/paredown/README.md").exists());
    let depends = done(Command::new("dpkg-deb").arg("-f").arg(&made).arg("Depends"));
    let depends = String::from_utf8(depends.stdout).unwrap();
    assert!(depends.contains("libc6"), "{depends}");
}
