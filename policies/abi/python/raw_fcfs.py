#!/usr/bin/env python3
"""First come, first served without any module: what a policy says in any language, on a pool of processors."""

import json
import sys

about = {"name": "raw-fcfs", "kind": "policy", "summary": "first come, first served", "needs": ["pool"]}
queue = []
for line in sys.stdin:
    ((message, told),) = json.loads(line).items()
    if message == "hello":
        answer = {"hello": {"version": 1, "policies": [about]}}
    elif message == "init":
        more = len(told["machine"]["resources"]) > 1
        answer = {"error": "it counts processors only"} if more else {"ready": True}
    elif message == "decide":
        queue += [event[1] for event in told["events"] if event[0] == "submitted"]
        free, verbs = told["free"][0], []
        while queue and queue[0]["procs"] <= free:
            free -= queue[0]["procs"]
            verbs.append(["start", queue.pop(0)["job"]])
        answer = {"verbs": verbs}
    else:  # bye
        break
    print(json.dumps(answer), flush=True)
