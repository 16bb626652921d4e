#!/usr/bin/env python3
"""Says how many lines of each room the tests run, and which ones they do not.

    rustup component add llvm-tools
    tests/coverage.py [--missing ROOM] [WORDS of cargo test]...

Without words it is the whole suite; `--lib` is the rooms' own tests alone. Only this crate is compiled for it, as cargo-llvm-cov
does it, so that what it depends on is there from other tests. Lines of tests do not count. --missing prints those lines of a room
that no test runs. The pure rooms are those that tests/it/tidy.rs lists; the last line is about all of them.
"""
import argparse, json, os, re, shutil, subprocess, sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTS = re.compile(r'#\[cfg\(test\)\]\n(?:pub(?:\([a-z]+\))? )?mod (\w+)(;| \{)')


def output(*command, **more):
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def code():
    """Each file of the source, with how many of its lines come before its tests."""
    files, only_tests = {}, set()
    for path in sorted((ROOT / 'src').rglob('*.rs')):
        text = path.read_text()
        files[path] = len(text.splitlines())
        for found in TESTS.finditer(text):
            if found[2] == ';':
                folder = path.parent if path.name in ('mod.rs', 'lib.rs') else path.with_suffix('')
                only_tests.add(folder / found[1])
            else:
                files[path] = min(files[path], text.count('\n', 0, found.start()))
    return {path: lines for path, lines in files.items()
            if only_tests.isdisjoint([path.with_suffix(''), *path.parents])}


def run(words, folder):
    """Runs the tests, and gives the counts of each line by file."""
    wrapper = folder / 'rustc'
    wrapper.write_text('#!/bin/sh\nexec "$@" -C instrument-coverage\n')
    wrapper.chmod(0o755)
    env = dict(os.environ, RUSTC_WORKSPACE_WRAPPER=str(wrapper), LLVM_PROFILE_FILE=f'{folder}/%2m.profraw')
    # Behind a test that fails the other programs run all the same: without them whole rooms would look as if nobody tried them.
    command = ['cargo', 'test', '--locked', '--all-features', '--no-fail-fast', *words]
    tests = command[:command.index('--')] if '--' in command else command
    built = output(*tests, '--no-run', '--message-format', 'json', env=env)
    built = [json.loads(line) for line in built.splitlines() if line.startswith('{')]
    programs = {message['executable'] for message in built if message.get('executable')}
    if subprocess.run(command, cwd=ROOT, env=env, stdout=sys.stderr).returncode:
        print('some tests failed: the lines behind that did not run', file=sys.stderr)
    host = re.search('host: (.*)', output('rustc', '-vV'))[1]
    tools = Path(output('rustc', '--print', 'sysroot').strip()) / 'lib/rustlib' / host / 'bin'
    output(tools / 'llvm-profdata', 'merge', '-sparse', '-o', folder / 'all', *folder.glob('*.profraw'))
    objects = [word for program in sorted(programs) for word in ('--object', program)]
    return output(tools / 'llvm-cov', 'export', '--format=lcov', '--instr-profile', folder / 'all', *objects)


def counts(lcov):
    found, path = {}, None
    for line in lcov.splitlines():
        if line.startswith('SF:'):
            path = Path(line[3:])
        elif line.startswith('DA:'):
            number, count = line[3:].split(',')[:2]
            found.setdefault(path, {})[int(number)] = int(count)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--missing', action='append', default=[])
    options, words = parser.parse_known_args()
    folder = Path(os.environ.get('CARGO_TARGET_DIR', ROOT / 'target')).resolve() / 'coverage'
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    found = counts(run(words, folder))
    pure = re.search(r'const PURE: &\[&str\] = &\[(.*?)\];', (ROOT / 'tests/it/tidy.rs').read_text(), re.S)[1]
    pure = re.findall(r'"(\w+)"', pure)
    rooms = {}
    for path, lines in code().items():
        room = path.relative_to(ROOT / 'src').parts[0].removesuffix('.rs')
        seen = {number: count for number, count in found.get(path, {}).items() if number <= lines}
        missing = [number for number, count in sorted(seen.items()) if not count]
        rooms.setdefault(room, []).append((len(seen), missing, path))
    print('| room | lines | run |  |\n|---|---|---|---|')

    def row(name, files, note):
        lines = sum(lines for lines, _, _ in files)
        left = sum(len(missing) for _, missing, _ in files)
        print(f'| {name} | {lines:,} | {100 * (lines - left) / max(lines, 1):.1f} % | {note} |')

    for room, files in sorted(rooms.items()):
        row(room, files, 'pure' if room in pure else '')
    row('**all pure rooms**', [file for room in pure for file in rooms.get(room, [])], '')
    for room in options.missing:
        for _, missing, path in sorted(rooms[room], key=lambda file: -len(file[1])):
            source = path.read_text().splitlines()
            for number in missing:
                print(f'{path.relative_to(ROOT)}:{number}: {source[number - 1].strip()}')


if __name__ == '__main__':
    main()
