"""Plots."""

from __future__ import annotations

import os
from pathlib import Path

from batchlab import _batchlab

#: The endings of files of plots.
_ENDINGS = (".svg", ".pdf", ".png")


class Plot:
    """A plot as SVG: shown in a notebook, and saved to a file."""

    def __init__(self, svg: str) -> None:
        #: The text of the SVG.
        self.svg = svg

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the plot to a file, as SVG, PDF or PNG (300 dots per inch) by the ending of its name."""
        file = Path(os.fsdecode(path))
        if file.suffix.lower() not in _ENDINGS:
            raise ValueError(f"{file}: a plot is saved as .svg, .pdf or .png")
        file.write_bytes(_batchlab.picture(self.svg, file.name))

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Plot: {len(self.svg):,} characters of SVG; .save(path) writes SVG, PDF or PNG>"
