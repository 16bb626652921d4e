#!/bin/sh
# Interesting: a program that fails because it mixes two kinds of number.
node "$1" 2>&1 | grep -q 'TypeError: Cannot mix BigInt and other types'
