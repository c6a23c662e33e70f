#!/usr/bin/env python3
"""The order of the shortest job first, as in easy:order=(exec:(python3 sjf.py))."""

from batchlab_policy import Order, run


class Sjf(Order):
    summary = "the job of the least estimate goes first"
    columns = ["estimate"]

    def score(self, estimate):
        return estimate


run(Sjf)
