#!/bin/sh
# Any other CI: compile each file, and reduce those that crash the compiler. Ends with 1 if there was one.
# Usage: pipeline.sh FILE...; CC is the compiler.
set -u
here=$(dirname "$0")
found=0
for file in "$@"; do
  said=$("${CC:-cc}" -c "$file" -o /dev/null 2>&1)
  case $said in
    *"internal compiler error"*)
      found=1
      "$here/reduce-crash.sh" "$file" 'internal compiler error' "${CC:-cc}" -c @@ -o /dev/null
      ;;
  esac
done
exit $found
