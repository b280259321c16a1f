"""An MCP server whose every failure leaves as one of our errors."""

import difflib
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import (
    ResourceError,
    ResourceNotFoundError,
    ToolError,
    UnexpectedToolError,
)
from mcp.server.mcpserver.tools import Tool
from mcp.server.request_state import RequestStateSecurity
from mcp.server.subscriptions import SubscriptionBus
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CallToolResult,
    GetPromptResult,
    InputRequiredResult,
    SubscriptionsListenResult,
    TextContent,
)
from mcp_types.jsonrpc import INTERNAL_ERROR, INVALID_PARAMS
from opentelemetry import trace
from pydantic import AnyUrl, ValidationError

from trunkline_shared import meta, wire
from trunkline_shared.binding import bound_to
from trunkline_shared.caller_credentials import credentials_given
from trunkline_shared.contracts import DEFAULT_TIMEOUT_S, Policy
from trunkline_shared.deadline import deadline_in
from trunkline_shared.delegation import delegated_by
from trunkline_shared.ending import Ending, ended_by
from trunkline_shared.errors import CallerError, Cancelled, TrunklineError
from trunkline_shared.known_arguments import known_arguments
from trunkline_shared.progress import told_to
from trunkline_shared.quota import Spending, counted
from trunkline_shared.trimming import Trimming, trimmed
from trunkline_shared.wording import compact, has_words, words_its_result

log = logging.getLogger(__name__)

_SERVER = "trunkline.server"
_LISTEN = "subscriptions/listen"


class ToolServer(MCPServer[None]):
    """The SDK's server with our argument rules, deadline and error mapping around each tool.

    `call_tool`, `read_resource` and `get_prompt` are the SDK's documented seams: whatever they
    raise ends here. `ending` is what its listener tells when it is about to stop; a listen
    stream then ends with its result. `before_listening` comes before a listener is told that
    it is one. Without `request_state_security`, what a tool hands its
    caller between rounds ends with the process.
    """

    def __init__(  # noqa: PLR0913 - what the SDK is given, by the SDK's names
        self,
        name: str,
        *,
        version: str,
        instructions: str,
        tools: Sequence[Tool],
        subscriptions: SubscriptionBus | None = None,
        cache_hints: Mapping[CacheableMethod, CacheHint] | None = None,
        request_state_security: RequestStateSecurity | None = None,
    ) -> None:
        super().__init__(
            name,
            version=version,
            instructions=instructions,
            tools=list(tools),
            log_level="WARNING",
            subscriptions=subscriptions,
            cache_hints=cache_hints,
            request_state_security=request_state_security,
            middleware=[self._named],
        )
        self.ending = Ending()
        self.before_listening: Callable[[], Awaitable[None]] | None = None
        self._declared = {tool.name: tool for tool in tools}
        self._longest_s = {tool.name: _longest(tool) for tool in tools}
        self._worded = frozenset(tool.name for tool in tools if words_its_result(tool))

    async def _named(
        self, ctx: ServerRequestContext[None, Any], call_next: CallNext
    ) -> HandlerResult:
        """Say on the SDK's span of a request which server it is: several share one process."""
        trace.get_current_span().set_attribute(_SERVER, self.name)
        if ctx.method != _LISTEN:
            return await call_next(ctx)
        if self.before_listening is not None:
            await self.before_listening()
        heard = await self.ending.stream(call_next(ctx))
        return heard or SubscriptionsListenResult(_meta={meta.SUBSCRIPTION_ID: ctx.request_id})

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[None, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        declared = self._declared.get(name)
        if declared is None:
            raise MCPError(INVALID_PARAMS, _unknown("tool", name, self._declared))
        with counted() as spending, trimmed() as trimming:
            result = await self._called(declared, arguments, context)
        if log.isEnabledFor(logging.DEBUG):
            failed = isinstance(result, CallToolResult) and result.is_error
            log.debug("tools/call %s %s", name, "failed" if failed else "was answered")
        return _noted(result, spending, trimming)

    async def _called(
        self, declared: Tool, arguments: dict[str, Any], context: Context[None, Any] | None
    ) -> CallToolResult | InputRequiredResult:
        name = declared.name
        try:
            with (
                _under(_told(context), self._longest_s[name]),
                ended_by(self.ending),
                told_to(context.report_progress if context is not None else None),
            ):
                known = known_arguments(declared, arguments)
                call = super().call_tool(name, known, context)
                result = await self.ending.call(call, writes=_writes(declared))
        except TrunklineError as error:
            return _failed(error)
        except ToolError as error:
            return _failed(_cause(name, error))
        return result if name in self._worded and has_words(result) else compact(result)

    async def read_resource(
        self, uri: AnyUrl | str, context: Context[None, Any] | None = None
    ) -> Iterable[ReadResourceContents] | InputRequiredResult:
        try:
            with _under(_told(context), DEFAULT_TIMEOUT_S):
                return await self.ending.call(super().read_resource(uri, context))
        except ResourceNotFoundError:
            message = f"Unknown resource: {str(uri)!r}."
            raise MCPError(INVALID_PARAMS, message, {"uri": str(uri)}) from None
        except (ResourceError, Cancelled) as error:
            raise _protocol_error(error, f"reading {uri}", {"uri": str(uri)}) from error

    async def get_prompt(
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        context: Context[None, Any] | None = None,
    ) -> GetPromptResult | InputRequiredResult:
        known = {prompt.name: prompt for prompt in await self.list_prompts()}
        if name not in known:
            raise MCPError(INVALID_PARAMS, _unknown("prompt", name, known))
        required = {a.name for a in known[name].arguments or [] if a.required}
        if missing := sorted(required - (arguments or {}).keys()):
            raise MCPError(INVALID_PARAMS, f"Prompt {name!r} needs {', '.join(missing)}.")
        try:
            with _under(_told(context), DEFAULT_TIMEOUT_S):
                return await self.ending.call(super().get_prompt(name, arguments, context))
        except (ValueError, Cancelled) as error:
            raise _protocol_error(error, f"rendering {name}", {}) from error


def _protocol_error(wrapped: BaseException, doing: str, data: Mapping[str, object]) -> MCPError:
    """Give a failure outside a tool its JSON-RPC form: the same payload, as `data`."""
    cause = wrapped
    while cause.__cause__ is not None and not isinstance(cause, TrunklineError):
        cause = cause.__cause__
    error = cause if isinstance(cause, TrunklineError) else wire.unexpected(cause, doing=doing)
    code = INVALID_PARAMS if isinstance(error, CallerError) else INTERNAL_ERROR
    return MCPError(code, error.message, wire.payload(error) | dict(data))


def _failed(error: TrunklineError) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=wire.to_text(error))], is_error=True
    )


def _cause(name: str, error: ToolError) -> TrunklineError:
    cause = error.__cause__
    if isinstance(cause, TrunklineError):
        return cause
    if isinstance(cause, ValidationError) and not isinstance(error, UnexpectedToolError):
        return wire.invalid_arguments(name, cause)
    return wire.unexpected(cause or error, doing=f"running {name}")


def _unknown(kind: str, name: str, known: Mapping[str, object]) -> str:
    nearest = difflib.get_close_matches(name, known, n=1)
    return f"Unknown {kind}: {name!r}." + (f" Did you mean {nearest[0]!r}?" if nearest else "")


@contextmanager
def _under(told: Mapping[str, object], longest_s: float) -> Iterator[None]:
    """Hold what the router tells of one call: deadline, bindings, delegation, credentials."""
    with (
        deadline_in(_seconds_left(told, longest_s)),
        bound_to(told.get(meta.BIND)),
        delegated_by(told.get(meta.DELEGATION)),
        credentials_given(told.get(meta.CREDENTIALS)),
    ):
        yield


def _told(context: Context[None, Any] | None) -> Mapping[str, object]:
    given = context.request_context.meta if context is not None else None
    return given or {}


def _writes(declared: Tool) -> bool:
    return declared.annotations is None or not declared.annotations.read_only_hint


def _longest(declared: Tool) -> float:
    return Policy.model_validate((declared.meta or {}).get(meta.POLICY, {})).timeout_s


def _seconds_left(told: Mapping[str, object], longest_s: float) -> float:
    milliseconds = told.get(meta.DEADLINE_MS)
    if isinstance(milliseconds, int | float) and milliseconds > 0:
        return min(milliseconds / 1000, longest_s)
    return longest_s


def _noted(
    result: CallToolResult | InputRequiredResult, spending: Spending, trimming: Trimming
) -> CallToolResult | InputRequiredResult:
    """Note on a result what it has cost of the vendor's quota, and what it leaves out."""
    if isinstance(result, InputRequiredResult):
        return result
    left_out = None if result.is_error else trimming.note(_text_bytes(result))
    told = [note.to_meta() for note in (spending.note, left_out) if note is not None]
    if not told:
        return result
    whole = dict(result.meta or {})
    for note in told:
        whole |= note
    return result.model_copy(update={"meta": whole})


def _text_bytes(result: CallToolResult) -> int:
    texts = (block.text for block in result.content if isinstance(block, TextContent))
    return sum(len(text.encode(errors="replace")) for text in texts)
