#!/bin/sh
# lit-tablegen.sh PATTERN: TableGen's tests that call one of the generators in PATTERN (an extended regular expression);
# without one, those that call none.
cd llvm/test
if [ $# -gt 0 ]; then
  tests=$(grep -rlE -e "-gen-($1)( |\$)" TableGen)
else
  tests=$(find TableGen -name '*.td' | xargs grep -LE -e '-gen-')
fi
tests=$(printf '%s\n' "$tests" | grep '\.td$' | grep -vE '/(Common|Inputs)/' | LC_ALL=C sort)
cd ../.. && exec sh graft/lit.sh $tests
