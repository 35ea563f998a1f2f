import asyncio
import sys

from connect import connect
from temporalio.common import WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError


async def main(partner_code: str, pix: str) -> None:
    client = await connect()
    payout = {
        "method": "pix",
        "partner_code": partner_code,
        "value": 150.5,
        "pix": pix,
        "first_name": "Ana",
        "last_name": "Lima",
        "document": "52998224725",
    }
    workflow_id = f"payout-{partner_code}"
    try:
        # No timeout, no retry policy: the workflow refuses to pay with either.
        handle = await client.start_workflow(
            "payout",
            payout,
            id=workflow_id,
            task_queue="payments",
            id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
        )
    except WorkflowAlreadyStartedError:
        handle = client.get_workflow_handle(workflow_id)
    state = await handle.execute_update("awaitStatus", {"statuses": ["done", "error"], "timeout_seconds": 30})
    if state["value"] != payout["value"]:
        raise SystemExit(f"{workflow_id} is another payout, of {state['value']}")
    print(f"{workflow_id}: {state['status']}")


asyncio.run(main(*sys.argv[1:]))
