"""What JSON Schema can't say of a valid request: check digits, dates to come, no card number where none belongs.

Schemathesis generates by the schema alone. A case that is meant to be valid is completed here; one that is meant to be
refused stays as it is.
"""

import json
import re
from uuid import uuid4

import schemathesis

from schemathesis import GenerationMode

PERSON = "52998224725"
CARD = "4111111111111111"
fixed = {
    "document": PERSON,
    "pix": "ana.lima@example.com",
    "number": CARD,
    "due_date": "12/2039",
    "email": "ana.lima@example.com",
    "phone": "+5511987654321",
    "redirect_url": "https://shop.example.com/thanks",
    "notify": None,
}


# Words of a query that have to be known ones, and amounts above 0.
words = {"status": "done", "until": "done", "value_from": "10", "value_to": "20.50"}


amounts = ("value", "accept_value", "value_from", "value_to")


def visible(text: str, name: str) -> str:
    """The text without what no text may hold, and of the same length."""
    plain = re.sub(r"[^ -~]", "x", text)
    plain = re.sub(r"[0-9]{12,}", lambda digits: "x" * len(digits.group()), plain)
    return re.sub(r"^ | $", "x", plain)


def valid(value: object, name: str = "") -> object:
    match value:
        case dict():
            kept = {key: item for key, item in value.items() if key not in ("notify", "__proto__")}
            # The document is a person's, who has one.
            if {"document", "first_name"} <= kept.keys():
                kept.setdefault("last_name", "Lima")
            return {
                (visible(key, "") if isinstance(key, str) else key): (
                    fixed[key] if key in fixed and isinstance(item, str) else valid(item, key)
                )
                for key, item in kept.items()
            }
        case list():
            return [valid(item, name) for item in value]
        case str():
            return visible(value, name)
        case float() if name in amounts:
            return max(round(value, 2), 0.01)
        # So many digits may be those of a card, by chance.
        case float() | int() if abs(value) >= 1_000_000:
            return 0.5
        case _:
            return value


@schemathesis.hook
def map_case(ctx, case):
    return completed(case)


# Examples, and cases that follow from answers, come past `map_case`.
@schemathesis.hook
def before_call(ctx, case, kwargs):
    completed(case)


def completed(case):
    meta = case.meta
    if meta is None or meta.generation.mode is not GenerationMode.POSITIVE:
        return case
    if case.query:
        # Only an answer gives a cursor.
        case.query.pop("cursor", None)
        for name in case.query.keys() & words.keys():
            case.query[name] = words[name]
    if isinstance(case.body, (dict, list)):
        case.body = valid(case.body)
    match case.operation.definition.raw.get("operationId"):
        case "startRefund":
            # Of an order that is known its own identifier would be needed; of an unknown one, any.
            case.media_type = "application/json"
            case.body = case.body if isinstance(case.body, dict) else {}
            case.path_parameters["partner_code"] = f"nowhere-{uuid4().hex[:12]}"
            case.body["service_id"] = "1"
        case "startBulkRetry" if isinstance(case.body, dict) and isinstance(case.body.get("filter"), dict):
            # One or the other.
            if "partner_codes" in case.body["filter"]:
                case.body["filter"].pop("batch_id", None)
        case "startPayoutBatch" if case.media_type != "application/json":
            case.query = {**(case.query or {}), "batch_id": "rows"}
            case.body = {"text/csv": csv}.get(case.media_type, json_lines)
        case "startPayoutBatch" if isinstance(case.body, dict):
            # What stands in the body as well has to be the same.
            for name in ("batch_id", "starts_per_second"):
                (case.query or {}).pop(name, None)
            for number, payout in enumerate(case.body["payouts"]):
                payout["partner_code"] = f"row-{number}"
        case _:
            pass
    return case


payee = {"first_name": "Ana", "last_name": "Lima", "document": PERSON, "pix": "ana.lima@example.com"}
row = {"method": "pix", "partner_code": "row-1", "value": 1.5, **payee}
csv = ",".join(row) + "\n" + ",".join(map(str, row.values())) + "\n"
json_lines = json.dumps(row) + "\n"


@schemathesis.serializer("text/csv", "application/x-ndjson")
def rows(ctx, value):
    return value.encode() if isinstance(value, str) else json.dumps(value).encode()
