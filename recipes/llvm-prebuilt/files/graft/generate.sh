#!/bin/sh
# generate.sh TARGET:GENERATOR...: what the llvm-tblgen built here makes of real targets, one line with a hash for each.
# The unmodified program's lines are what is expected, so any difference in the code made is a failure.
mkdir -p graft/out/made
for pair; do
  target=${pair%%:*} generator=${pair#*:} made="graft/out/made/$pair"
  rm -f "$made"
  set -- -I llvm/include -I "llvm/lib/Target/$target" "llvm/lib/Target/$target/$target.td" "-gen-$generator"
  if graft/out/bin/llvm-tblgen "$@" -o "$made" 2>/dev/null; then
    echo "made: $pair $(sha256sum <"$made" | cut -c1-16)"
  else
    echo "not made: $pair"
    failed=1
  fi
done
exit ${failed:-0}
