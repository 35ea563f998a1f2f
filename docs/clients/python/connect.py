import dataclasses
import os

from codec import RemoteCodec
from temporalio.client import Client
from temporalio.converter import DataConverter


async def connect() -> Client:
    codec = RemoteCodec(os.environ["CODEC_ENDPOINT"], os.environ.get("CODEC_AUTH"))
    return await Client.connect(
        os.environ.get("TEMPORAL_ADDRESS", "127.0.0.1:7233"),
        namespace=os.environ.get("TEMPORAL_NAMESPACE", "default"),
        data_converter=dataclasses.replace(DataConverter.default, payload_codec=codec),
    )
