#!/bin/sh
# The Model Checking Contest starts this in the folder of a model. The environment says what is asked
# (BK_EXAMINATION) and within which limits (BK_TIME_CONFINEMENT). The environment `venv` beside this
# file, made by submission.sh, answers; without it the petricheck on PATH.
folder="$(dirname "$(readlink -f "$0")")"
if [ -d "$folder/venv" ]; then
    export NUMBA_CACHE_DIR="$folder/cache"
    exec "$folder/venv/bin/python" -m petricheck mcc
fi
exec petricheck mcc
