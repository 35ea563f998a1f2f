import asyncio
import sys

from connect import connect


async def main(partner_code: str) -> None:
    client = await connect()
    # The Query answers for closed payments too. What comes back is encrypted, and decrypted by codec.py.
    state = await client.get_workflow_handle(f"payout-{partner_code}").query("state")
    print(f"payout-{partner_code}: {state['status']}, attention {state['attention']}, {state['value']:.2f} reais")


asyncio.run(main(*sys.argv[1:]))
