#!/bin/sh
# Interesting: a program that compiles and prints the message.
ulimit -t 1
ulimit -f 2000
cc -w -Wno-error=implicit-function-declaration "$1" -o program || exit 1
./program > output
printf 'Hello world!\n' | cmp -s - output
