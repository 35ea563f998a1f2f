"""Starts a workflow as Python's SDK does by default: address, namespace, type, id, task queue, input as JSON."""

import asyncio
import json
import os
import sys

from temporalio.client import Client


async def main(
    address: str, namespace: str, workflow_type: str, workflow_id: str, task_queue: str, text: str
) -> None:
    client = await Client.connect(address, namespace=namespace)
    await client.start_workflow(workflow_type, json.loads(text), id=workflow_id, task_queue=task_queue)


asyncio.run(main(*sys.argv[1:]))
# Threads of the SDK may still run while the interpreter ends, which then aborts.
os._exit(0)
