#!/usr/bin/env python3
"""Three quarters of the mean run time of the user's last two jobs, and a quarter of the request."""

from batchlab_policy import Order, run


class Predictor(Order):
    summary = "three quarters of the mean of the user's last two jobs, and a quarter of the request"
    columns = ["last2", "estimate"]

    def score(self, last2, estimate):
        return 0.75 * last2 + 0.25 * estimate if last2 > 0 else 0


run(Predictor)
