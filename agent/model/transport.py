"""An HTTP client whose responses are bounded in bytes and in time, and always valid UTF-8."""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx

# What a broken server may make us hold in memory; far above any answer (128k tokens are some 600 kB).
_CONTENT_PARTS = re.compile(r'"content"\s*:\s*[\[{]')
_MOST_BYTES = 64 * 1024 * 1024


class ResponseTooLargeError(Exception):
    """The server sent more than any answer can be. It isn't asked again, since that would cost the same."""


def join_content_parts(body: str) -> str:
    """The body of a chat completion with each message's `content` as text: some servers send a list of parts, which
    litellm can't read. Parts of thoughts become `reasoning_content`. Any other body stays as it is."""
    if not _CONTENT_PARTS.search(body):
        return body
    try:
        value = json.loads(body)
        messages = [choice["message"] for choice in value["choices"]]
    except (ValueError, TypeError, KeyError, RecursionError):
        return body
    for message in messages:
        content = message.get("content")
        parts = content if isinstance(content, list) else [content]
        if not isinstance(content, str | None):
            message["content"] = "".join(_read_text_of_nested_part(part, "text") for part in parts)
            thoughts = "".join(_read_text_of_nested_part(part, "thinking") for part in parts)
            message["reasoning_content"] = message.get("reasoning_content") or thoughts or None
    return json.dumps(value)


def _read_text_of_nested_part(part: object, key: str) -> str:
    """A part's text, or its thoughts: a text, or in turn a list of parts."""
    if not isinstance(part, dict):
        return str(part or "") if key == "text" else ""
    value = part.get(key)
    return (
        "".join(_read_text_of_nested_part(each, "text") for each in value)
        if isinstance(value, list)
        else str(value or "")
    )


def make_time_and_size_bounded_transport() -> httpx.BaseTransport:
    """A transport for all providers.

    httpx's own time-out restarts with each byte, so a server that dribbles is never cut off; here the read
    time-out bounds the whole body. A byte that isn't UTF-8 (llama.cpp may cut a character in two) becomes U+FFFD
    instead of losing an answer that was paid for. More than 64 MiB raise ResponseTooLargeError.
    """
    import httpx

    class Bounded(httpx.BaseTransport):
        def __init__(self) -> None:
            # A client, not a bare transport: it finds the environment's proxies and certificates.
            self.inner = httpx.Client(limits=httpx.Limits(max_connections=None))

        def handle_request(self, request: httpx.Request) -> httpx.Response:
            start = time.monotonic()
            limit = request.extensions.get("timeout", {}).get("read")
            response = self.inner.send(request, stream=True)
            body = bytearray()
            try:
                for chunk in response.iter_bytes():
                    body += chunk
                    if len(body) > _MOST_BYTES:
                        raise ResponseTooLargeError(f"the response is larger than {_MOST_BYTES} bytes")
                    if limit is not None and time.monotonic() - start > limit:
                        raise httpx.ReadTimeout("the response took too long", request=request)
            finally:
                response.close()
            headers = [
                (key, value)
                for key, value in response.headers.multi_items()
                if key not in ("content-encoding", "content-length", "transfer-encoding")
            ]
            content = join_content_parts(bytes(body).decode("utf-8", "replace")).encode()
            return httpx.Response(response.status_code, headers=headers, content=content, request=request)

        def close(self) -> None:
            """Nothing: litellm closes a client of its own after an hour, and the others share this transport."""

    return Bounded()
