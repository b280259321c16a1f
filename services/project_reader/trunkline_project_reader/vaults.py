"""Which vault a call is about: the one that it names, or the one in the project's dock."""

from trunkline_project_reader.basecamp.belonging import require_project
from trunkline_project_reader.basecamp.client import Basecamp
from trunkline_project_reader.basecamp.dock import VAULT
from trunkline_project_reader.basecamp.projects import dock_tool


async def vault_of(basecamp: Basecamp, project_id: int, vault_id: int) -> int:
    """Return the id of the vault; one that is named may be a folder, which no dock shows.

    Raises BlockedByPolicy, ToolNotEnabled, or what asking for the project raises.
    """
    if not vault_id:
        return (await dock_tool(basecamp, project_id, VAULT)).id
    await basecamp.account()
    require_project(project_id)
    return vault_id
