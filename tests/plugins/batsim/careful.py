line = Line().begin()
free, queue, held = set(range(line.hosts)), [], {}
out = set()
while True:
    message = line.hear()
    starts = []
    for event in message["events"]:
        data, kind = event["data"], event["type"]
        if kind == "JOB_SUBMITTED":
            queue.append(data["job"])
        elif kind == "JOB_COMPLETED":
            print(data["job_id"], data["job_state"])
            free |= held.pop(data["job_id"])
        elif kind == "NOTIFY" and "resources" in data:
            first, _, last = data["resources"].partition("-")
            hosts = set(range(int(first), int(last or first) + 1))
            out = out - hosts if data["type"] == "event_machine_available" else out | hosts
        elif kind == "SIMULATION_ENDS":
            line.say(message["now"])
            sys.exit(0)
    while queue and queue[0]["res"] <= len(free - out):
        job = queue.pop(0)
        held[job["id"]] = hosts = set(sorted(free - out)[:job["res"]])
        free -= hosts
        starts.append(("EXECUTE_JOB", {"job_id": job["id"], "alloc": " ".join(map(str, hosts))}))
    line.say(message["now"], *starts)
