
def start(session, orphan, environment):
    if os.fork() == 0:
        if session:
            os.setsid()
        if orphan and os.fork() != 0:
            os._exit(0)
        null = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(null, stream)
        os.execve("/bin/sleep", ["sleep", "1000"], environment)
    if orphan:
        os.wait()

bare = {"MARK": os.environ["MARK"]}
start(False, False, os.environ)
start(True, False, os.environ)
start(True, True, os.environ)
start(True, True, bare)
