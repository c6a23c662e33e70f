"""Plots."""

from __future__ import annotations

import os
from pathlib import Path


class Plot:
    """A plot as SVG: shown in a notebook, and saved to a file."""

    def __init__(self, svg: str) -> None:
        #: The text of the SVG.
        self.svg = svg

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the SVG to a file."""
        Path(path).write_text(self.svg, encoding="utf-8")

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Plot: {len(self.svg):,} characters of SVG; .save(path) writes it>"
