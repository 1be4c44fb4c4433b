"""Frames of a small net, which call each loop of covers with the types of its arguments."""

from __future__ import annotations

from petricheck.explicit.covering.frames import ClauseFrames
from petricheck.model.net import make_net


def exercise() -> None:
    """Call each loop."""
    net = make_net("small", {"p": 1, "q": 0}, {"t": ({"p": 1}, {"q": 1})})
    frames = ClauseFrames(net, [((0, 1), (1, 1))])
    frames.entry({1: 1}, 0)
    frames.reason({1: 1}, 0)
    frames.forbid({1: 2}, 1)
