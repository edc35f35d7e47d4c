"""The protocol's server around tools that are described and answered elsewhere, over stdio."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from agent.tools.tool_answer import ToolAnswer
from agent.values import ToolSpec
from index.errors import ConfigError, describe_install_commands

if TYPE_CHECKING:
    from mcp import types
    from mcp.server.lowlevel import Server

CallTool = Callable[[str, Mapping[str, object] | None], Awaitable[ToolAnswer]]
"""A tool's name and its arguments -> the answer, which says when the call was mistaken."""


def serve_tools(command: str, instructions: str, specs: Sequence[ToolSpec], call: CallTool) -> None:
    """Answer on stdin and stdout until stdin ends. Raises ConfigError, for the command of that name, when the extra
    isn't installed."""
    try:
        import anyio
        from mcp.server.stdio import stdio_server
    except ImportError as error:
        raise ConfigError(f"{command} needs the MCP SDK: {describe_install_commands('mcp')}") from error
    server = _make_server(instructions, specs, call)

    async def run() -> None:
        async with stdio_server() as (reader, writer):
            await server.run(reader, writer, server.create_initialization_options())

    anyio.run(run)


def _make_server(instructions: str, specs: Sequence[ToolSpec], call: CallTool) -> Server:
    from mcp import types
    from mcp.server.lowlevel import Server

    tools = [
        types.Tool(name=spec.name, description=spec.description, input_schema=json.loads(spec.parameters))
        for spec in specs
    ]

    async def list_tools(context: object, params: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools)

    async def call_tool(context: object, params: types.CallToolRequestParams) -> types.CallToolResult:
        answer = await call(params.name, params.arguments)
        text = types.TextContent(type="text", text=answer.text)
        return types.CallToolResult(content=[text], is_error=answer.mistake)

    return Server("graft", instructions=instructions, on_list_tools=list_tools, on_call_tool=call_tool)
