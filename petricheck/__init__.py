"""petricheck decides reachability in place/transition Petri nets, and proves its answer."""

__version__ = "0.1.0"
