#!/bin/sh
# Interesting: valid LLVM IR that swaps no bytes by the instruction for it, until the optimiser finds that it does.
opt=$(command -v opt || command -v opt-14) || exit 1
! grep -q bswap "$1" && "$opt" -O2 -S "$1" 2> /dev/null | grep -q 'call.*@llvm.bswap'
