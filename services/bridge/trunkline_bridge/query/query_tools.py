"""The tool that has an agent work on a prompt with tools of the mesh."""

from dataclasses import dataclass
from typing import Annotated

from mcp.server.mcpserver import Context
from mcp_types import ClientCapabilities, InputRequiredResult
from pydantic import Field

from trunkline_bridge.query.asked import read_query
from trunkline_bridge.query.models import QueryOptions, QueryResult
from trunkline_bridge.query.queries import Queries
from trunkline_bridge.query.runner import Asker
from trunkline_shared.contracts import WRITE, Policy, Writes
from trunkline_shared.tool import tool

LONGEST_S = 610.0
POLICY = Policy(
    timeout_s=LONGEST_S,
    waits=True,
    writes=Writes(tags=()),
    # An agent's token has its caller's bindings: it reaches nothing beside them.
    enforces=("pr_number", "issue_number"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryTools:
    """`query_mcp`, in front of the way that a query takes."""

    queries: Queries

    @tool("Ask an agent", WRITE, POLICY)
    async def query_mcp(
        self,
        prompt: str,
        tools: Annotated[
            list[str],
            Field(description="mcp__SERVER__TOOL, or mcp__SERVER__* for all of a server."),
        ],
        context: Context,
        options: QueryOptions | None = None,
    ) -> QueryResult | InputRequiredResult:
        """Have an agent with just these tools work on a prompt.

        Slow (10-30 s); for questions that take several calls. Returns its answer, structured with
        a jsonSchema, and each call it made.
        """
        query = read_query(prompt, tools, options)
        asker = Asker(
            capabilities=context.client_capabilities or ClientCapabilities(),
            answers=context.input_responses,
            state=context.request_state,
        )
        return await self.queries.answered(query, asker)
