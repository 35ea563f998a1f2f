import json
import os
import sys
import time
from urllib.request import Request, urlopen

batch_id, csv_file = sys.argv[1:]
batches = os.environ.get("GATEWAY_URL", "http://127.0.0.1:8080") + "/v1/payout-batches"
headers = {"Authorization": f"Bearer {os.environ['API_KEY']}", "Content-Type": "text/csv"}


def answer(url: str, body: bytes | None = None) -> dict:
    with urlopen(Request(url, body, headers), timeout=60) as response:
        return json.load(response)


# Sent again after a timeout, it starts nothing twice.
with open(csv_file, "rb") as rows:
    batch = answer(f"{batches}?batch_id={batch_id}", rows.read())
give_up = time.monotonic() + 120
while time.monotonic() < give_up:
    batch = answer(f"{batches}/{batch_id}?payouts=true")
    paid = {status: count for status, count in batch["payouts"].items() if status in ("done", "error")}
    if batch["status"] != "starting" and sum(paid.values()) == batch["rows"] - batch["error_count"]:
        break
    time.sleep(2)
print(f"{batch_id}: {batch['status']}, {batch['payouts']}, {batch['error_count']} not started")
