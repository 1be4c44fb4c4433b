"""The public name of `petricheck.formats.libraries`: conversion to and from nets of SNAKES."""

from petricheck.formats.libraries import *
from petricheck.formats.libraries import __all__ as __all__
