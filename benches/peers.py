#!/usr/bin/env python3
"""Runs reducers side by side and prints a Markdown table: tokens left and runs of the check.

    benches/peers.py [--runs NUMBER] [--limit SECONDS] [--paredown PROGRAM] [--only REDUCER]... [--curves FILE] [FOLDER]...

A FOLDER has an input.* and a check.sh (the path of the candidate is $1); without one, all of examples/ are taken. A reducer that is
not installed is left out, and with --only each that is not named. Each works on a copy of its own with one job; who needs more runs of the check than NUMBER, or longer than
the limit, is stopped, and the smallest interesting file until then counts. Tokens are words, numbers, strings and operators, without C comments. FILE gets a line for
each time that a file became the smallest: the case, the reducer, the number of the run, bytes. `cargo bench --bench anytime` draws them.
"""
import argparse, glob, os, re, shutil, signal, subprocess, sys, tempfile, time

TOKEN = re.compile(rb'''/\*.*?\*/|//[^\n]*|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[\w$.]+|[-+*/%&|^<>=!]+|\S)''', re.S)
# Counts the run, and keeps the smallest file that was interesting.
WRAPPER = '''#!/bin/bash
f=${1:-$PEERS_NAME}
[ "$(stat -c %s "$PEERS_LOG/runs" 2> /dev/null || echo 0)" -lt "$PEERS_RUNS" ] || { touch "$PEERS_LOG/over"; exit 1; }
printf . >> "$PEERS_LOG/runs"
"$PEERS_CHECK" "$f" > /dev/null 2>&1 || exit 1
( flock 9; s=$(stat -c %s "$f"); b=$(stat -c %s "$PEERS_LOG/best" 2> /dev/null || echo 999999999)
  [ "$s" -lt "$b" ] && cp "$f" "$PEERS_LOG/best" &&
  echo "$(stat -c %s "$PEERS_LOG/runs") $s" >> "$PEERS_LOG/curve"; exit 0 ) 9> "$PEERS_LOG/lock"
'''


def commands(paredown, check, name):
    c_like = name.endswith(('.c', '.h', '.cpp'))
    language = {'c': 'c', 'js': 'javascript', 'java': 'java'}.get(name.rsplit('.', 1)[1], '')
    not_c = [] if c_like else ['--not-c']
    return {
        'paredown': [paredown, '-q', '-j', '1', '-o', 'result', check, name],
        'C-Reduce': ['creduce', '--n', '1', *not_c, check, name],
        'C-Vise': ['cvise', '--n', '1', *not_c, check, name],
        'Picire': ['picire', '-i', name, '--test', check, '-o', 'out', '-a', 'line', '-l', 'ERROR', '--cache', 'content'],
        'Shrink Ray': ['shrinkray', '--ui', 'basic', '--no-history', '--parallelism', '1', '--input-type', 'arg', check, name],
        'llvm-reduce': [shutil.which('llvm-reduce') or 'llvm-reduce-14', '--test=CHECK', '-o', 'result', name] if name.endswith('.ll') else [''],
        'treereduce': ['treereduce-' + language, '-q', '-j', '1', '-s', name, '-o', 'result', check, '@@.' + name.rsplit('.', 1)[1]],
    }


def end_all(mark):
    """Ends what still runs with this in its environment: some reducers leave processes in groups of their own."""
    for environ in glob.glob('/proc/[0-9]*/environ'):
        try:
            if mark.encode() in open(environ, 'rb').read().split(b'\0'):
                os.kill(int(environ.split('/')[2]), signal.SIGKILL)
        except OSError:
            pass


def is_stopped(process, over, limit):
    """Waits for the end; whether it has to be stopped instead."""
    end = time.monotonic() + limit
    while process.poll() is None:
        if os.path.exists(over) or time.monotonic() > end:
            return True
        time.sleep(0.05)
    return os.path.exists(over)


def measure(argv, case, source, options):
    name = os.path.basename(source)
    with tempfile.TemporaryDirectory() as work, tempfile.TemporaryDirectory() as log:
        check = log + '/check.sh'
        with open(check, 'w') as file:
            file.write(WRAPPER)
        os.chmod(check, 0o755)
        shutil.copy(source, work)
        argv = [word.replace('CHECK', check) for word in argv]
        env = dict(os.environ, PEERS_LOG=log, PEERS_NAME=name, PEERS_CHECK=os.path.abspath(case) + '/check.sh',
                   PEERS_RUNS=str(options.runs))
        process = subprocess.Popen(argv, cwd=work, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, start_new_session=True)
        stopped = ''
        if is_stopped(process, log + '/over', options.limit):
            stopped = '*'
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        end_all('PEERS_LOG=' + log)
        read = lambda path: open(path, 'rb').read() if os.path.exists(path) else b''
        best = read(log + '/best') or read(source)
        tokens = sum(1 for match in TOKEN.finditer(best) if match.group(1))
        runs = len(read(log + '/runs'))
        curve = [line.split() for line in read(log + '/curve').decode().splitlines()]
        return f'{tokens} / {runs:,}{stopped}', curve + [[str(runs), str(len(best))]]


def main():
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--runs', type=int, default=2000)
    parser.add_argument('--limit', type=float, default=3600)
    parser.add_argument('--paredown', default=here + '/target/release/paredown')
    parser.add_argument('--only', action='append')
    parser.add_argument('--curves')
    parser.add_argument('folders', nargs='*')
    options = parser.parse_args()
    folders = options.folders or sorted(glob.glob(here + '/examples/*/check.sh'))
    cases = [folder if os.path.isdir(folder) else os.path.dirname(folder) for folder in folders]
    rows, used, curves = [], [], []
    for case in cases:
        source = glob.glob(case + '/input.*')[0]
        row = {'file': f'{os.path.basename(os.path.abspath(case))}, {os.path.getsize(source):,} bytes'}
        for tool, argv in commands(os.path.abspath(options.paredown), 'CHECK', os.path.basename(source)).items():
            if shutil.which(argv[0]) and tool in (options.only or [tool]):
                row[tool], curve = measure(argv, case, source, options)
                name = os.path.basename(os.path.abspath(case))
                curves += ['\t'.join([name, tool, *point]) + '\n' for point in curve]
                used += [] if tool in used else [tool]
                print(f'{row["file"]}: {tool} {row[tool]}', file=sys.stderr, flush=True)
        rows.append(row)
    if options.curves:
        with open(options.curves, 'w') as file:
            file.writelines(curves)
    print('| tokens / runs of the check |', ' | '.join(used), '|')
    print('|---' * (len(used) + 1) + '|')
    for row in rows:
        print('|', row['file'], '|', ' | '.join(row.get(tool, '–') for tool in used), '|')


if __name__ == '__main__':
    main()
