"""Asks a service with the demo store what Schemathesis draws from its OpenAPI document: it never fails, and answers only what stands there.

usage: drawn-requests.py PACKAGES
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CHECKS = [
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
]
ROOT = Path(__file__).resolve().parent.parent
packages = Path(sys.argv[1]).resolve()


def credentials_of(service, log, folder):
    """What the demo store is opened with, once the service is ready."""
    while '"msg":"ready"' not in log.read_text():
        if service.poll() is not None:
            sys.exit(f"the service did not start:\n{log.read_text()}")
        time.sleep(0.1)
    return json.loads((folder / "data" / "demo-credentials.json").read_text())


def ask(credentials, folder):
    headers = {"Authorization": f"Bearer {credentials['apiKey']}", "X-Store-Slug": credentials["storeSlug"]}
    command = [sys.executable, "-c", "from schemathesis.cli import schemathesis; schemathesis()", "run"]
    command += [f"{credentials['baseUrl']}/openapi.json", "--phases", "examples,coverage", "--seed", "1"]
    command += ["--checks", ",".join(CHECKS), "--continue-on-failure", "--warnings", "off"]
    for name, value in headers.items():
        command += ["-H", f"{name}: {value}"]
    # What the tool keeps for the next time stays in the folder, which goes.
    return subprocess.run(command, cwd=folder, env={**os.environ, "PYTHONPATH": str(packages)}).returncode


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    log = folder / "log"
    environment = {**os.environ, "PORT": "0", "DATA_DIR": str(folder / "data")}
    with log.open("w") as out:
        service = subprocess.Popen(["node", "dist/src/main.js"], cwd=ROOT, env=environment, stdout=out)
    try:
        code = ask(credentials_of(service, log, folder), folder)
    finally:
        service.terminate()
        service.wait()
sys.exit(code)
