"""Property files of the Model Checking Contest: several named questions about one net.

`read_properties` gives what each property means: a target, and whether the property is true where
the target is reachable (EF φ, with the target φ) or where it is unreachable (AG φ, with the target
¬φ). What is no question after reachability is refused property by property. Modules: `meaning`
(the values), `document` (the file), `grammar` (its formulas).
"""

from __future__ import annotations

from petricheck.properties.document import read_properties
from petricheck.properties.meaning import (
    Invariant,
    Meaning,
    Possible,
    Property,
    Refused,
    holds,
)

__all__ = ["Invariant", "Meaning", "Possible", "Property", "Refused", "holds", "read_properties"]
