#!/bin/sh
# Interesting: a file for which the compiler complains about two declarations that do not fit together.
cc -fsyntax-only "$1" 2>&1 | grep -q 'conflicting types for'
