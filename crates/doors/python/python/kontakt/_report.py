"""Reports with the keys of the command line's JSON."""

from __future__ import annotations

from typing import Any


class Report(dict[str, Any]):
    """The keys of a command's JSON, as items and as attributes."""

    def __getattr__(self, key: str) -> Any:
        try:
            return self[key]
        except KeyError:
            raise AttributeError(f"{type(self).__name__} has no {key!r}; its keys are {', '.join(self)}") from None

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self})
