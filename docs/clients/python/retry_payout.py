import asyncio
import sys

from connect import connect


async def main(partner_code: str, pix: str) -> None:
    client = await connect()
    handle = client.get_workflow_handle(f"payout-{partner_code}")
    failed = len((await handle.query("state"))["attempts"])
    # It names the attempt that has failed: the command, sent again under the same id, is executed once.
    await handle.execute_update(
        "retryPayout",
        {"attempt": failed, "corrections": {"pix": pix}, "reason": "wrong key", "by": "oms"},
        id=f"retry-{failed}",
    )
    state = await handle.execute_update("awaitStatus", {"statuses": ["done", "error"], "timeout_seconds": 30})
    print(f"payout-{partner_code}: {state['status']} at attempt {len(state['attempts'])}")


asyncio.run(main(*sys.argv[1:]))
