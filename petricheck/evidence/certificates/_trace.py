"""Traces in evidence files."""

from __future__ import annotations

from petricheck.arithmetic.formulas.json import INTEGER, TEXT, Form, items, pair
from petricheck.evidence.answer import Trace

_STEPS = items(pair(TEXT, INTEGER, "[transition, how often]"))

TRACE: Form[Trace] = Form(
    lambda trace: _STEPS.write(trace.steps), lambda value: Trace(_STEPS.read(value))
)
