"""The version, for all that prints it, and those of other packages."""

from collections.abc import Iterable

__version__ = "0.2.0"


def installed(packages: Iterable[str]) -> dict[str, str]:
    """Return the versions of those of these packages that are installed."""
    from importlib.metadata import PackageNotFoundError, version  # slow to import

    versions: dict[str, str] = {}
    for package in packages:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
    return versions
