#!/bin/sh
# Reduces the file that made a compiler crash, and leaves result, report and summary in the folder `reduced`.
# Usage: reduce-crash.sh FILE MESSAGE COMMAND..., with @@ for the file in COMMAND.
# The time is what a CI job can spare: PAREDOWN_SECONDS, 600 if it is not set.
set -eu
file=$1 message=$2
shift 2
mkdir -p reduced
status=0
"${PAREDOWN:-paredown}" "$file" --stderr "$message" --max-time "${PAREDOWN_SECONDS:-600}" \
  -o "reduced/$(basename "$file")" --report reduced/report.html --summary reduced/summary.md \
  --json reduced/events.jsonl -- "$@" || status=$?
# The page of a GitHub job, where there is one.
if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -e reduced/summary.md ]; then
  cat reduced/summary.md >> "$GITHUB_STEP_SUMMARY"
fi
exit $status
