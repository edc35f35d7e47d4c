#!/bin/sh
# lit.sh TEST...: lit over tests or folders of llvm/test, which may be patterns. One line for each test; a failed one's
# output isn't printed.
cd llvm/test && set -- $* && cd ../..
for name; do set -- "$@" "graft/test/$name"; shift; done
exec python3 llvm/utils/lit/lit.py -j 2 "$@"
