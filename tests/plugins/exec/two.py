if len(sys.argv) > 1:
    greet()
    pid = os.fork()
    if pid == 0:
        os.setsid()
        helper = os.fork()
        if helper == 0:
            null = os.open(os.devnull, os.O_RDWR)
            for stream in range(3):
                os.dup2(null, stream)
            os.execv("/bin/sleep", ["sleep", "1000"])
        open("helper", "w").write(str(helper))
        os._exit(0)
    os.wait()
    say({"ready": True})
    while not os.path.exists("quick-ended"):
        time.sleep(0.01)
    time.sleep(0.3)
    try:
        os.kill(int(open("helper").read()), 0)
    except OSError:
        say({"error": "its helper is gone"})
        sys.exit(0)
    fcfs()
else:
    begin()
    fcfs()
    open("quick-ended", "w").close()
