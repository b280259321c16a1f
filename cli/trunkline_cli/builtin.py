"""The servers that come with Trunkline, by name.

Names only: `trunkline_cli.hosting` imports the modules, so that the router's process does not
carry what its servers need.
"""

from collections.abc import Mapping

MODULES: Mapping[str, str] = {
    "twig": "trunkline_branch_context.service",
    "github_comment": "trunkline_comment.service",
    "github_inline_comment": "trunkline_inline_review.service",
    "github_ci": "trunkline_ci_status.service",
    "github": "trunkline_issues.service",
    "basecamp": "trunkline_project_reader.service",
    "jira": "trunkline_jira.service",
    "bridge": "trunkline_bridge.service",
}
"""Server id to the module that holds its SERVICE."""
