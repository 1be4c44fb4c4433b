#!/bin/sh
# sh check.sh OUT PATH…: decides questions, keeps the answers in OUT, and ends with the status of the gate.
out=$1
shift
petricheck batch "$@" --out "$out" --timeout 60 --check --all-decided 2>&1
status=$?
petricheck batch export "$out" --junit "$out.xml" --all-decided
exit $status
