#!/usr/bin/env bash
# Makes an environment with Harbor and verifiers in the folder $1, unless it is there: they need a newer Python than
# Graft. Programs in PATH may be shims that know no such version, so each is tried.
set -euo pipefail
place=$1
[ -x "$place/bin/harbor" ] && exit 0
for python in "$HOME"/.pyenv/versions/3.1[23]*/bin/python3 python3.12 python3.13; do
    if "$python" -c '' 2> /dev/null; then
        "$python" -m venv --clear "$place"
        "$place/bin/pip" install -q --no-compile 'harbor==0.25.*' 'verifiers==0.4.*'
        exit 0
    fi
done
echo "no Python 3.12 or 3.13, which Harbor needs"
exit 1
