"""What the readers of both formats of GreatSPN warn of."""

UNTIMED = "all transitions are timed, with delays of any length; read as the untimed net"
UNTAGGED = "tags for composing nets are ignored"
