
import json, os, signal, subprocess, sys, time

def say(message):
    print(json.dumps(message), flush=True)

def hear():
    ((key, told),) = json.loads(sys.stdin.readline()).items()
    return key, told

def greet(**more):
    hear()
    say({"hello": {"version": 1, "policies": [{"name": "mine", "kind": "policy", "needs": ["pool"], **more}]}})
    if hear()[0] == "bye":
        sys.exit(0)

def begin(**more):
    greet(**more)
    say({"ready": True})

def fcfs():
    queue = []
    while True:
        key, told = hear()
        if key == "bye":
            return
        queue += [event[1] for event in told["events"] if event[0] == "submitted"]
        free, verbs = told["free"][0], []
        while queue and queue[0]["procs"] <= free:
            free -= queue[0]["procs"]
            verbs.append(["start", queue.pop(0)["job"]])
        say({"verbs": verbs})
