import asyncio
import sys

from connect import connect
from temporalio.common import WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError


async def main(bulk_retry_id: str, batch_id: str) -> None:
    client = await connect()
    plan = {
        "bulk_retry_id": bulk_retry_id,
        "filter": {"batch_id": batch_id},
        "reason": "the bank was down",
        "by": "oms",
    }
    workflow_id = f"bulk-retry-{bulk_retry_id}"
    try:
        handle = await client.start_workflow(
            "bulkRetry",
            plan,
            id=workflow_id,
            task_queue="payments",
            id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
        )
    except WorkflowAlreadyStartedError:
        handle = client.get_workflow_handle(workflow_id)
    # It stops by itself when too many fail again; then an operator decides.
    while (state := await handle.query("state"))["status"] not in ("finished", "stopped", "paused"):
        await asyncio.sleep(2)
    print(f"{workflow_id}: {state['status']}, {state['counts']}")


asyncio.run(main(*sys.argv[1:]))
