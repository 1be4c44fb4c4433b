#!/bin/sh
# Make the folder of a submission to the Model Checking Contest, from a checkout:
#
#   sh docs/contest/submission.sh FOLDER
#
# It holds BenchKit_head.sh, petricheck with all that it needs (venv), and its compiled loops (cache).
# It works wherever it is copied on a machine with the same Python.
set -eu
here="$(dirname "$(readlink -f "$0")")"
mkdir "$1"
cp "$here/BenchKit_head.sh" "$1"
python3 -m venv "$1/venv"
"$1/venv/bin/python" -m pip install -q "$here/../.."
NUMBA_CACHE_DIR="$(readlink -f "$1")/cache" "$1/venv/bin/python" -m petricheck --warm-up
