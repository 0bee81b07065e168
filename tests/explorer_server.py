# SPDX-License-Identifier: Apache-2.0
"""`plenum explore` as tests use it: started, asked, stopped."""
import http.client
import json
import os
import signal
import subprocess
import time
import urllib.parse


class Explorer:
    """`with Explorer(PLENUM, "tic-tac-toe") as explorer: explorer.get("position", variant="tic-tac-toe")`"""

    def __init__(self, plenum, *arguments, folder=None, cache=None):
        self.command = [plenum, "explore", "--no-open", *arguments]
        self.folder = folder
        self.environment = dict(os.environ, **({"PLENUM_CACHE": cache} if cache else {}))

    def __enter__(self):
        began = time.monotonic()
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder, env=self.environment)
        self.address = self.process.stdout.readline().strip()
        self.seconds = time.monotonic() - began
        if not self.address.startswith("http://127.0.0.1:"):
            raise AssertionError(f"it does not begin with its address: {self.address} {self.process.stderr.read()}")
        self.port = int(self.address.rsplit(":", 1)[1].strip("/"))
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """By Ctrl-C; the exit code: 0, or 130 where it had hardly begun. A sanitizer that found something ends it with another."""
        runs = self.process.poll() is None
        if runs:
            self.process.send_signal(signal.SIGINT)
        try:
            code = self.process.wait(timeout=120)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        said = "" if self.process.stderr.closed else self.process.stderr.read()
        self.process.stdout.close()
        self.process.stderr.close()
        if runs and code not in (0, 130):
            raise AssertionError(f"{self.command} ended with {code}: {said}")
        return code

    def send(self, method, target, body=None, headers=None):
        """The status, the body and the headers of one request, as it is."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        try:
            connection.request(method, target, body=body, headers=headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read(), answer.headers
        finally:
            connection.close()

    @staticmethod
    def target(path, parameters):
        return f"/api/v1/{path}?{urllib.parse.urlencode({name.rstrip('_'): value for name, value in parameters.items()}, doseq=True)}"

    def ask(self, method, path, body=None, **parameters):
        """The status and the JSON of a request; `with_` is the parameter "with"."""
        status, text, _ = self.send(method, self.target(path, parameters), body)
        return status, json.loads(text)

    def get(self, path, **parameters):
        """The JSON of a request, when it is there."""
        while True:
            status, answer = self.ask("GET", path, **parameters)
            if status == 200:
                return answer
            if status != 202:
                raise AssertionError(f"{path} {parameters}: {status} {answer}")
            self.follow(answer["job"])

    def follow(self, job):
        """The states of a job, until it is over."""
        out = []
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        connection.request("GET", f"/api/v1/jobs/{job}/events")
        answer = connection.getresponse()
        for line in answer:
            if line.startswith(b"data: "):
                out.append(json.loads(line[6:]))
        connection.close()
        return out
