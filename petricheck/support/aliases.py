"""Public names of modules that lie elsewhere, as `petricheck.coloured` in `petricheck.model`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import ModuleType


class Aliases(Loader):
    """A finder and loader of modules by other names; a module is loaded once, on first use."""

    def __init__(self, homes: Mapping[str, str]) -> None:
        """Take the modules' own names, by their public ones."""
        self._homes = homes

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return a spec for a public name, or one below it; None for others."""
        for public in self._homes:
            if f"{name}.".startswith(f"{public}."):
                return spec_from_loader(name, self)
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module itself, which keeps its own spec."""
        public = next(p for p in self._homes if f"{spec.name}.".startswith(f"{p}."))
        module = import_module(self._homes[public] + spec.name.removeprefix(public))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing but give the module its own spec again: it has been loaded."""
        assert module.__spec__ is not None
        module.__spec__ = module.__spec__.loader_state


def install(homes: Mapping[str, str]) -> None:
    """Let modules be imported by these public names as well."""
    sys.meta_path.insert(0, Aliases(homes))
