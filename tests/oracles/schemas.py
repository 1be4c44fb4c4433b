"""The JSON Schemas that are shipped, ready to validate."""

from __future__ import annotations

import json
from importlib.resources import files

from jsonschema import Draft202012Validator

NAMES = ("evidence", "answer")
SCHEMAS = {
    name: json.loads((files("petricheck.evidence") / "schemas" / f"{name}.json").read_text("utf-8"))
    for name in NAMES
}
VALID = {name: Draft202012Validator(schema) for name, schema in SCHEMAS.items()}
