"""The public name of `petricheck.model.coloured`: coloured nets, sorts, terms and guards."""

from petricheck.model.coloured import *
from petricheck.model.coloured import __all__ as __all__
