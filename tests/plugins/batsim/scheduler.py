
import json, os, signal, socket, struct, subprocess, sys, time

NAME = sys.argv[1][len("ipc://@"):]

def frame(flags, body):
    if len(body) < 256:
        return bytes([flags, len(body)]) + body
    return bytes([flags | 2]) + struct.pack(">Q", len(body)) + body

def opening(kind=b"REP"):
    ready = b"\x05READY\x0bSocket-Type" + struct.pack(">I", len(kind)) + kind
    return b"\xff" + bytes(8) + b"\x7f\x03\x00NULL" + bytes(48) + frame(4, ready)

class Line:
    def __init__(self, first=None):
        door = socket.socket(socket.AF_UNIX)
        door.bind("\0" + NAME)
        door.listen(1)
        self.socket = door.accept()[0]
        self.socket.sendall(opening() if first is None else first)
        self.exactly(64)
        self.frame()

    def exactly(self, count):
        heard = b""
        while len(heard) < count:
            more = self.socket.recv(count - len(heard))
            if not more:
                sys.exit("nobody is there")
            heard += more
        return heard

    def frame(self):
        flags = self.exactly(1)[0]
        length = struct.unpack(">Q", self.exactly(8))[0] if flags & 2 else self.exactly(1)[0]
        return self.exactly(length)

    def hear(self):
        assert self.frame() == b""
        return json.loads(self.frame())

    def raw(self, body):
        self.socket.sendall(frame(1, b"") + frame(0, body))

    def say(self, now, *events):
        events = [{"timestamp": now, "type": kind, "data": data} for kind, data in events]
        self.raw(json.dumps({"now": now, "events": events}).encode())

    def begin(self):
        self.hosts = self.hear()["events"][0]["data"]["nb_resources"]
        self.say(0)
        return self

    def fcfs(self):
        free, queue, held = set(range(self.hosts)), [], {}
        while True:
            message = self.hear()
            for event in message["events"]:
                data = event["data"]
                if event["type"] == "JOB_SUBMITTED":
                    queue.append(data["job"])
                elif event["type"] == "JOB_COMPLETED":
                    free |= held.pop(data["job_id"])
                elif event["type"] == "SIMULATION_ENDS":
                    return self.say(message["now"])
            starts = []
            while queue and queue[0]["res"] <= len(free):
                job = queue.pop(0)
                held[job["id"]] = hosts = set(sorted(free)[:job["res"]])
                free -= hosts
                starts.append(("EXECUTE_JOB", {"job_id": job["id"], "alloc": " ".join(map(str, hosts))}))
            self.say(message["now"], *starts)
