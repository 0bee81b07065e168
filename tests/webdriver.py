# SPDX-License-Identifier: Apache-2.0
"""A browser driven by chromedriver, in the few words of the WebDriver protocol (W3C) that the tests need."""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c", "Left": "\ue012", "Up": "\ue013", "Right": "\ue014", "Down": "\ue015", "Home": "\ue011"}


def available():
    """Whether there is a browser, and what drives it."""
    return shutil.which("chromium") is not None and shutil.which("chromedriver") is not None


class Browser:
    """`with Browser() as browser`: without a screen, with a profile of its own."""

    def __init__(self, dark=False, width=1200, height=900):
        self.dark, self.width, self.height = dark, width, height

    def __enter__(self):
        self.folder = tempfile.mkdtemp()
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                       env=dict(os.environ, HOME=self.folder))
        port = None
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                port = line.rsplit(" ", 1)[1].strip(" .\n")
                break
        self.address = f"http://127.0.0.1:{port}"
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={self.folder}/profile",
                     f"--window-size={self.width},{self.height}", "--no-first-run", "--disable-background-networking", "--disable-component-update"]
        made = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": {"args": arguments}, "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.session = f"/session/{made['sessionId']}"
        # Not by the window: a real one has borders.
        self.cdp("Emulation.setDeviceMetricsOverride", width=self.width, height=self.height, deviceScaleFactor=1, mobile=False)
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if self.dark else "light"},
                                                         {"name": "prefers-reduced-motion", "value": "reduce"}])
        return self

    def __exit__(self, *_):
        try:
            self.ask("DELETE", self.session)
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.driver.stdout.close()
            shutil.rmtree(self.folder, ignore_errors=True)

    def ask(self, method, path, body=None):
        data = None if method in ("GET", "DELETE") else json.dumps(body or {}).encode()
        request = urllib.request.Request(self.address + path, data=data, method=method, headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def cdp(self, command, **parameters):
        return self.ask("POST", f"{self.session}/goog/cdp/execute", {"cmd": command, "params": parameters})

    def open(self, address):
        self.ask("POST", f"{self.session}/url", {"url": address})

    def run(self, script, *arguments):
        """`script` is the body of a function in the page, whose value comes back; a promise is waited for."""
        return self.ask("POST", f"{self.session}/execute/sync", {"script": script, "args": list(arguments)})

    def find(self, selector):
        return self.ask("POST", f"{self.session}/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self.wait(f"return document.querySelector({json.dumps(selector)})")
        try:
            self.ask("POST", f"{self.session}/element/{self.find(selector)}/click")
        except RuntimeError as error:
            if "stale element" not in str(error):
                raise
            self.click(selector)  # the page has put another in its place

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.textContent ?? null", selector)

    def keys(self, *keys):
        """To what has the focus."""
        actions = [step for key in keys for step in ({"type": "keyDown", "value": KEYS.get(key, key)}, {"type": "keyUp", "value": KEYS.get(key, key)})]
        self.ask("POST", f"{self.session}/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def wait(self, script, *arguments, seconds=60):
        """Until the script gives something that is true. What it asks for may not be there yet: an error is no more than that."""
        end = time.time() + seconds
        while True:
            try:
                value = self.run(script, *arguments)
            except RuntimeError as error:
                value, said = None, error
            else:
                said = None
            if value:
                return value
            if time.time() > end:
                raise AssertionError(f"waited {seconds} s for: {script} {arguments}; the page says: {self.text('#problem')} {self.text('#main-view')[:400]}") from said
            time.sleep(0.02)

    def console(self):
        """What was written to the browser's console since it was asked last."""
        return self.ask("POST", f"{self.session}/se/log", {"type": "browser"})

    def picture(self, path):
        """As WebP."""
        shot = self.cdp("Page.captureScreenshot", format="webp", quality=75)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot))
