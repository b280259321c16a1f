"""Where things are: in the API, and on the web."""

from dataclasses import dataclass

from trunkline_shared.testing.basecamp.projects import DockTool, Project
from trunkline_shared.testing.basecamp.recordings import Recording

WEB = "https://3.basecamp.com"


@dataclass(frozen=True, slots=True, kw_only=True)
class Urls:
    """The addresses of one account; `api` is the stand-in's own address."""

    api: str
    account: int

    def to(self, path: str) -> str:
        return f"{self.api}/{self.account}{path}"

    def on_web(self, path: str) -> str:
        return f"{WEB}/{self.account}{path}"

    def project(self, project: Project) -> str:
        return self.to(f"/projects/{project.id}.json")

    def of(self, thing: Recording | DockTool) -> str:
        """Return the URL of a recording or a tool: the older form, with its project in it."""
        return self.to(f"/buckets/{thing.project.id}/{thing.route}/{thing.id}.json")

    def page_of(self, thing: Recording | DockTool) -> str:
        return self.on_web(f"/buckets/{thing.project.id}/{thing.route}/{thing.id}")
