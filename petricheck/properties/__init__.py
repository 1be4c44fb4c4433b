"""Property files: several named questions about one net.

`read_properties` gives what each property means: a target, and whether the property is true where
the target is reachable (EF φ, with the target φ) or where it is unreachable (AG φ, with the target
¬φ); or the sum whose maximum is asked for. What is neither is refused property by property. The
family `readers` has a file for each format; `meaning` has the values, `vocabulary` names and path
operators, `grammar` the formulas of the contest's XML.
"""

from petricheck.properties.meaning import (
    Invariant,
    Maximum,
    Meaning,
    Possible,
    Property,
    Refused,
    holds,
)
from petricheck.properties.readers import read_properties

__all__ = [
    "Invariant",
    "Maximum",
    "Meaning",
    "Possible",
    "Property",
    "Refused",
    "holds",
    "read_properties",
]
