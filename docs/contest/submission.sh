#!/bin/sh
# Make the folder of a submission to the Model Checking Contest, from a checkout:
#
#   sh docs/contest/submission.sh FOLDER
#
# It holds BenchKit_head.sh, petricheck with all that it needs (venv), and its compiled loops (cache).
# It may be moved to another folder or machine with the same Python. There the first run compiles the
# loops again, in the background.
set -eu
here="$(dirname "$(readlink -f "$0")")"
mkdir "$1"
cp "$here/BenchKit_head.sh" "$1"
python3 -m venv "$1/venv"
"$1/venv/bin/python" -m pip install -q "$here/../.."
NUMBA_CACHE_DIR="$(readlink -f "$1")/cache" "$1/venv/bin/python" -m petricheck --warm-up
