import asyncio
from urllib.request import Request, urlopen

from google.protobuf.json_format import MessageToJson, Parse
from temporalio.api.common.v1 import Payloads
from temporalio.converter import PayloadCodec


class RemoteCodec(PayloadCodec):
    """Has payloads encrypted and decrypted by a codec endpoint, so that no key is needed here."""

    def __init__(self, endpoint, auth=None):
        self.endpoint = endpoint
        self.headers = {"Content-Type": "application/json"} | ({"Authorization": auth} if auth else {})

    async def encode(self, payloads):
        return await asyncio.to_thread(self.convert, "encode", payloads)

    async def decode(self, payloads):
        return await asyncio.to_thread(self.convert, "decode", payloads)

    def convert(self, verb, payloads):
        body = MessageToJson(Payloads(payloads=payloads)).encode()
        with urlopen(Request(f"{self.endpoint}/{verb}", body, self.headers), timeout=10) as answer:
            return list(Parse(answer.read(), Payloads()).payloads)
