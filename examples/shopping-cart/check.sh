#!/bin/sh
# Interesting: a program that fails because it mixes two kinds of number.
ulimit -t 1
node "$1" 2>&1 | grep -q 'TypeError: Cannot mix BigInt and other types'
