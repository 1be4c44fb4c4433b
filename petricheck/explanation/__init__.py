"""Evidence for people: what a certificate says of its net, case by case, and the net as a picture.

All that is told is checked against the net here, in exact arithmetic and without a solver; it
repeats no audit. `prose` says it as text, for `verify --explain`; the page of a batch shows it.
"""
