#!/bin/sh
# The Model Checking Contest starts this in the folder of a model, and says in the environment what is
# asked (BK_EXAMINATION) and within which limits (BK_TIME_CONFINEMENT). In the folder of a submission
# an environment named venv stands beside it, made by
#
#   python3 -m venv venv && venv/bin/pip install petricheck/ && venv/bin/petricheck --warm-up
#
# where petricheck/ is a checkout. Without it the petricheck on PATH answers.
PATH="$(dirname "$(readlink -f "$0")")/venv/bin:$PATH"
export PATH
exec petricheck mcc
