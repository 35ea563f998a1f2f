import sys

from generated import AuthenticatedClient
from generated.api.payouts import start_pix_payout
from generated.models import PayoutState, PixPayoutBody, Problem

url, key, code = sys.argv[1:]
payments = AuthenticatedClient(base_url=url, token=key)


def pay(value: float, prefer: str = "wait=0"):
    body = PixPayoutBody(
        partner_code=code,
        value=value,
        first_name="Ana",
        last_name="Lima",
        document="52998224725",
        pix="ana.lima@example.com",
    )
    return start_pix_payout.sync_detailed(client=payments, body=body, prefer=prefer)


started = pay(150.5, "wait=10").parsed
assert isinstance(started, PayoutState), started
repeated = pay(150.5)
conflict, invalid = pay(1).parsed, pay(-1).parsed
assert isinstance(conflict, Problem) and isinstance(invalid, Problem)
print(started.attempts[0].number, int(repeated.status_code), conflict.type_, invalid.errors[0].field)
