use super::{PYTHON, folder, none_left, python, run, shipped};

/// Replays with a policy that cannot be started.
fn refused(child: &str, spec: &str, code: i32, words: &str) {
    let folder = folder(child);
    let done = run(&folder, &["replay", "a.swf", "-q", "--policy", spec]);
    done.failed(code, words);
    assert_eq!(done.err.lines().count(), 1, "{}", done.err);
    none_left(&folder);
}

#[test]
fn a_command_that_is_not_there_is_input_that_cannot_be_used() {
    refused(
        "",
        "exec:no-such-program",
        3,
        "error: no-such-program: no folder of PATH has a program of this name",
    );
    // `conform` is about the program.
    run(&folder(""), &["conform", "exec:no-such-program"]).failed(2, "no folder of PATH has a program");
    let here =
        "no folder of PATH has a program of this name; there is a file of this name here: say ./child.py";
    refused("", "exec:(child.py --fast)", 3, here);
    let nearest = "./childe.py: there is no such file (did you mean `./child.py`?)";
    refused("", "exec:./childe.py", 3, nearest);
    let executable = "./child.py: it is not executable; run chmod +x ./child.py, or name what runs it, as in \
                      exec:(python3 ./child.py)";
    refused("", "exec:./child.py", 3, executable);
    refused("", "exec:(python3 'child.py)", 3, "is no plug-in for `exec`: a quote has no end");
    refused("", "exec:( )", 3, "it has no words");
    refused("", "exec:(sleep 1),timeout=soon", 2, "`timeout=soon`: timeout takes a time");
    refused("", "exec:(sleep 1),timout=1s", 4, "the plug-in ended in the middle of `hello`");
}

#[test]
fn a_file_is_run_by_its_first_line() {
    use std::os::unix::fs::PermissionsExt;
    if !python() {
        return;
    }
    let folder = folder("");
    let write = |name: &str, first: &str| {
        folder.write(name, &format!("{first}\n{}", super::CHILD.to_owned() + "\nbegin()\nfcfs()\n"));
        std::fs::set_permissions(folder.path(name), std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    write("mine.py", "#!/usr/bin/env python3");
    write("lost.py", "#!/no/such/python3");
    let done = run(&folder, &["replay", "a.swf", "-q", "--policy", "exec:./mine.py,timeout=60s"]);
    assert!(done.succeeded().contains("exec:./mine.py"), "{}", done.out);
    run(&folder, &["replay", "a.swf", "-q", "--policy", "exec:./lost.py"])
        .failed(3, "./lost.py: what its first line names, or what would load it, is not there");
    none_left(&folder);
}

#[test]
fn parameters_are_those_of_the_child_and_of_the_carrier() {
    if !python() {
        return;
    }
    let child = "params = [{'name': 'k', 'kind': 'count', 'default': '2', 'least': 1}]\n\
                 greet(params=params)\n\
                 say({'ready': True})\n\
                 fcfs()\n";
    let spec = "exec:(python3 child.py),timeout=60s";
    let folder = folder(child);
    let options = ["replay", "a.swf", "-q", "--format", "csv", "--policy"];
    let done = run(&folder, &[&options[..], &[&format!("{spec},k=3")]].concat());
    assert!(done.succeeded().contains("\"exec:(python3 child.py),k=3,timeout=60s\""), "{}", done.out);
    refused(child, &format!("{spec},k=0"), 2, "`k=0`: k takes a whole number from 1");
    refused(child, &format!("{spec},j=0"), 2, "has no parameter `j`");
    refused(child, &format!("{spec},j=0"), 2, "it has: k, timeout, total, memory");
    let own = "greet(params=[{'name': 'timeout', 'kind': 'count', 'default': '2'}])";
    refused(own, spec, 4, "its parameter `timeout` is one of every `exec`");
    let wrong = "greet(params=[{'name': 'k', 'kind': 'number', 'default': 'many'}])";
    refused(wrong, spec, 4, "its parameter `k` takes a number from 0, and its default is `many`");
}

#[test]
fn a_command_is_one_policy() {
    if !python() {
        return;
    }
    let two = "hear()\n\
               about = {'kind': 'policy'}\n\
               say({'hello': {'version': 1, 'policies': [{'name': 'a', **about}, {'name': 'b', **about}]}})";
    let words = "it is several policies, `a`, `b`…, and a command is one: let an argument say which, as in \
                 exec:(python3 child.py a)";
    refused(two, "exec:(python3 child.py),timeout=60s", 4, words);
    let none = "hear()\nsay({'hello': {'version': 1, 'policies': []}})";
    refused(
        none,
        "exec:(python3 child.py),timeout=60s",
        4,
        "describes itself wrongly: it describes no policy",
    );
}

#[test]
fn output_of_a_policy_is_not_a_message() {
    if !python() {
        return;
    }
    let folder = folder("");
    let mine = "import sys\nsys.path.insert(0, sys.argv[1])\nfrom batchlab_policy import Policy, run\n\
                import os\nprint('loading', flush=True)\n\
                class Loud(Policy):\n    needs = ['pool']\n    def decide(self, turn):\n        \
                print('deciding'); os.system('echo from a shell')\n        assert input.__name__\n        \
                for job in turn.submitted: turn.start(job)\n\
                run(Loud)\n";
    folder.write("loud.py", &mine.replace("flush=True", "file=sys.stderr"));
    folder.write("early.py", mine);
    let spec = |name: &str| format!("exec:(python3 {name}.py '{PYTHON}'),timeout=60s");
    let done = run(&folder, &["replay", "a.swf", "-q", "--procs", "64", "--policy", &spec("loud")]);
    done.succeeded();
    // The line may or may not arrive alone.
    let done = run(&folder, &["replay", "a.swf", "-q", "--policy", &spec("early")]);
    done.failed(4, "the plug-in's answer to `hello` cannot be used: `loading` ");
    done.failed(
        4,
        "; standard output is for messages, one to an answer, and standard error for everything else",
    );
    none_left(&folder);
}

#[test]
fn an_exception_is_reported_with_its_place() {
    if !python() {
        return;
    }
    let folder = folder("");
    let mine = "import sys\nsys.path.insert(0, sys.argv[1])\nfrom batchlab_policy import Policy, run\n\
                class Broken(Policy):\n    def decide(self, turn):\n        return 1 / 0\nrun(Broken)\n";
    folder.write("broken.py", mine);
    let spec = format!("exec:(python3 broken.py '{PYTHON}'),timeout=60s");
    let done = run(&folder, &["replay", "a.swf", "-q", "--policy", &spec]);
    let words = "at 0 s: the plug-in gave up: ZeroDivisionError: division by zero (broken.py, line 6)\n";
    assert_eq!((done.code, done.err.contains(words)), (4, true), "{}", done.err);
    let done = run(&folder, &["explain", "a.swf", "2", "--policy", &spec]);
    assert_eq!((done.code, done.err.contains("the plug-in gave up")), (4, true), "{}", done.err);
    none_left(&folder);
}

/// `explain` shows the promise that the child made to a job.
#[test]
fn promises_are_explained() {
    if !python() {
        return;
    }
    let folder = folder("");
    let story =
        |spec: &str| run(&folder, &["explain", "a.swf", "2", "--policy", spec]).succeeded().to_owned();
    // The child makes a reservation when another job could start; the built-in policy as soon as there is a head that waits.
    for (spec, at) in [(&shipped("easy")[..], 2), ("easy", 1)] {
        let promise = format!("promised at {at} s to start by 100 s; it started then");
        assert!(story(spec).contains(&promise), "{spec}: {}", story(spec));
    }
    none_left(&folder);
}
