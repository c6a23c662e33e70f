class Seen(Policy):
    needs = ["foresight"]

    def decide(self, turn):
        kinds = len(self.machine.resources)
        assert self.machine.devices is None
        assert all(len(amounts) == kinds for amounts in turn.in_service), turn.in_service
        assert all(len(amounts) == kinds for _, _, _, amounts in turn.foreseen), turn.foreseen
        for job in turn.submitted:
            turn.place(job, [(0, job.procs)])

run(Seen)
