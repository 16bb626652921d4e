#!/bin/sh
# Interesting: a program that compiles, also where a value must be returned, ends, and prints the product of 1 to 10.
ulimit -t 1
ulimit -f 2000
cc -Wno-error=implicit-function-declaration -Werror=return-type "$1" -o program || exit 1
./program > output
grep -qx 'prod: 3628800' output
