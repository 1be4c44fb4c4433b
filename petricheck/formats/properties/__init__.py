"""Property files: several named questions about one net.

`read_properties` returns the meaning of each property: a target, and whether the property holds if
the target is reachable (EF φ, with the target φ), if it is unreachable (AG φ, with the target ¬φ),
or if it is a home space (AG EF φ; that a transition is enabled: if it is live); or the sum whose
maximum is the question. Other properties are refused one by one. The family `readers` has a file
for each format; `meaning` has the values, `vocabulary` names and path operators.
"""

from petricheck.formats.properties.meaning import (
    AlwaysPossible,
    InvariantProperty,
    LiveProperty,
    Maximum,
    Meaning,
    Possible,
    Property,
    RefusedProperty,
)
from petricheck.formats.properties.readers import read_properties

__all__ = [
    "AlwaysPossible",
    "InvariantProperty",
    "LiveProperty",
    "Maximum",
    "Meaning",
    "Possible",
    "Property",
    "RefusedProperty",
    "read_properties",
]
