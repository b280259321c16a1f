"""What Trunkline promises, each with its source; tests name the ids, checked both ways."""

from tests.bridge_requirements import BRIDGE
from tests.cache_requirements import CACHE
from tests.gateway_requirements import GATEWAY
from tests.requirement import (
    BASECAMP,
    CHECKS,
    CLIENTS,
    COMMENTS,
    ISSUES,
    JIRA,
    MCP,
    OPERATORS,
    PULLS,
    REVIEWS,
    TWIG,
    USERS,
    Requirement,
)
from tests.seeing_requirements import SEEING
from tests.shipping_requirements import SHIPPING

REQUIREMENTS: dict[str, Requirement] = {
    # Every server
    "errors.round-trip": Requirement(USERS, "every error survives the wire unchanged"),
    "errors.arguments": Requirement(
        CLIENTS, "a bad argument of any tool answers INVALID_INPUT with the field, in our words"
    ),
    "errors.bug": Requirement(USERS, "a bug answers INTERNAL_ERROR with an id, and no inner text"),
    "settings.named": Requirement(USERS, "a bad setting is named with its value and the fix"),
    "settings.files": Requirement(OPERATORS, "any variable may be a file"),
    "secrets.logs": Requirement(OPERATORS, "no secret reaches a log line"),
    "store.kept": Requirement(OPERATORS, "small values are shared, claimed once, and end in time"),
    "store.buckets": Requirement(
        OPERATORS, "what a caller may still do is counted once over the whole mesh"
    ),
    "store.bus": Requirement(OPERATORS, "replicas hear each other, and notice when they cannot"),
    "store.arrangements": Requirement(
        OPERATORS,
        "all of it works over TCP, a socket, TLS, a user's rights, Sentinels and a Cluster",
    ),
    "serve.mesh-key": Requirement(OPERATORS, "beyond loopback a server answers its router only"),
    "serve.transports": Requirement(MCP, "a server speaks Streamable HTTP, HTTP+SSE and stdio"),
    "schemas.snapshots": Requirement(CLIENTS, "a tool's schema changes only as a reviewed diff"),
    # Comments
    "comment.credentials": Requirement(USERS, "without a token the tools are listed and say so"),
    "comment.too-long": Requirement(COMMENTS, "a body over the limits is refused, cut or split"),
    "comment.other-family": Requirement(COMMENTS, "an id of the other comment family is found"),
    "comment.deleted": Requirement(COMMENTS, "a comment deleted meanwhile is told or made anew"),
    "comment.lost-update": Requirement(COMMENTS, "an edit over a newer edit answers CONFLICT"),
    "comment.equal-body": Requirement(COMMENTS, "an equal body is not sent again"),
    "comment.no-duplicate": Requirement(COMMENTS, "a marked comment exists once, whatever is cut"),
    "comment.null-user": Requirement(COMMENTS, "the comment of a deleted account is read"),
    "comment.mentions": Requirement(COMMENTS, "mentions can be escaped"),
    "comment.closed-doors": Requirement(COMMENTS, "locked, archived, disabled, moved: told apart"),
    "comment.empty-body": Requirement(COMMENTS, "an empty body is refused before it is sent"),
    "comment.minimised": Requirement(COMMENTS, "minimised comments are left out unless asked for"),
    "comment.secrets-out": Requirement(USERS, "a secret is never posted"),
    "comment.invisible-in": Requirement(USERS, "invisible characters never reach a model"),
    "comment.defaults": Requirement(USERS, "reads know the default repository, writes never do"),
    # GitHub
    "github.openapi": Requirement(COMMENTS, "every request and stand-in answer fits the OpenAPI"),
    "github.one-pace": Requirement(COMMENTS, "all servers of a mesh write at one pace per token"),
    "github.few-tokens": Requirement(
        USERS, "a pull request's tasks cost a quarter of the API's tokens, counted task by task"
    ),
    "github.limits": Requirement(COMMENTS, "primary and secondary limits say when to come back"),
    "github.tokens": Requirement(COMMENTS, "tokens are fetched per request and renewed once"),
    "github.conditional": Requirement(COMMENTS, "repeated reads are conditional, per token"),
    "github.retry": Requirement(COMMENTS, "only what does no harm twice is sent twice"),
    "github.redirects": Requirement(COMMENTS, "a redirect never carries the token elsewhere"),
    "github.hostile-arguments": Requirement(
        USERS, "any argument of any tool gets a typed answer from within its repository"
    ),
    "github.bases": Requirement(COMMENTS, "github.com, GHES and ghe.com bases are told apart"),
    # CI status
    "ci.verdict-table": Requirement(
        CHECKS, "each conclusion has its verdict, and unknown ones are carried through"
    ),
    "ci.totals-add-up": Requirement(CHECKS, "the buckets of a summary always add up to its total"),
    "ci.superseded": Requirement(
        CHECKS, "superseded runs are left out; running beats finished; cancelled counts otherwise"
    ),
    "ci.deleted-null": Requirement(
        CHECKS, "deleted apps, accounts and repositories are null and harm nothing"
    ),
    "ci.three-systems": Requirement(
        CHECKS, "one verdict from workflow runs, check runs and commit statuses"
    ),
    "ci.no-statuses": Requirement(CHECKS, "no commit status at all is none, not pending"),
    "ci.young-commit": Requirement(CHECKS, "silence about a young commit is pending, later none"),
    "ci.filter-keeps-summary": Requirement(
        CHECKS, "a status filter changes the list, never the summary"
    ),
    "ci.approvals": Requirement(CHECKS, "a wait for an approval is told apart from failing code"),
    "ci.head-moved": Requirement(CHECKS, "a push while CI is read is told"),
    "ci.required": Requirement(
        CHECKS, "required checks are judged alone when asked, unknown ones said to be so"
    ),
    "ci.pagination": Requirement(CHECKS, "every page is read, and a cap never looks like the end"),
    "ci.forks": Requirement(CHECKS, "runs of forks are found by commit"),
    "ci.ownership": Requirement(
        USERS, "a context bound to a pull request reaches no run, check or commit of another"
    ),
    "ci.wait": Requirement(
        CHECKS, "a wait tells its progress, follows pushes, and ends with a verdict or a state"
    ),
    "ci.wait-faults": Requirement(
        CHECKS, "a wait outlasts passing troubles of GitHub and ends with lasting ones"
    ),
    "ci.wait-ends": Requirement(
        USERS, "a wait ends with its caller, and answers before its server is gone"
    ),
    "ci.rerun": Requirement(
        CHECKS, "failed jobs, whole runs and running runs are re-run or cancelled; done is no error"
    ),
    "ci.rerun-once": Requirement(
        CHECKS, "a re-run never happens twice, and a doubtful one says so"
    ),
    "ci.run-lists": Requirement(
        CHECKS, "workflow runs are listed with every filter of GitHub's and say where they go on"
    ),
    "ci.check-lists": Requirement(
        CHECKS, "check runs and annotations are listed, deduplicated, filtered, page by page"
    ),
    # CI logs
    "ci.permission": Requirement(CHECKS, "a missing actions permission is named, tools stay"),
    "ci.credentials": Requirement(USERS, "without a token the CI tools are listed and say so"),
    "ci.binding": Requirement(USERS, "a run or job of another pull request stays out of reach"),
    "ci.jobs.pages": Requirement(CHECKS, "matrices of over 1,000 jobs are read, found by name"),
    "ci.jobs.counts": Requirement(CHECKS, "each job is counted once, whatever state it is in"),
    "ci.jobs.attempts": Requirement(CHECKS, "an attempt that has ended is immutable"),
    "ci.log.not-ready": Requirement(CHECKS, "the log of a running job says when to come back"),
    "ci.log.expired": Requirement(CHECKS, "a log past its retention is told from one not ready"),
    "ci.log.token": Requirement(CHECKS, "the host of the logs never gets our token"),
    "ci.log.secret-link": Requirement(CHECKS, "a signed link is in no log, span, answer, error"),
    "ci.log.cut": Requirement(CHECKS, "a log that breaks off is read again or is a failure"),
    "ci.log.bounded": Requirement(CHECKS, "200 MB of log cost at most 20 MB of memory"),
    "ci.log.chunks": Requirement(CHECKS, "lines are the same however the bytes are chunked"),
    "ci.log.long-lines": Requirement(CHECKS, "lines of megabytes are cut and say so"),
    "ci.log.text": Requirement(CHECKS, "stamps, BOM, ANSI, overwritten text go; marks stay"),
    "ci.log.untrusted": Requirement(USERS, "logs show what is hidden and hide what is secret"),
    "ci.log.grep": Requirement(CHECKS, "patterns take linear time; bad ones are told with place"),
    "ci.log.failed": Requirement(CHECKS, "failed logs are bounded, and fail one by one"),
    # Inline review
    "inline.outside-diff": Requirement(REVIEWS, "a line outside the diff is never sent, and told"),
    "inline.single-line": Requirement(REVIEWS, "equal ends of a range are a single line"),
    "inline.bad-lines": Requirement(REVIEWS, "zero, negative, fractional, backwards: refused"),
    "inline.range": Requirement(REVIEWS, "a range lies in one hunk, on sides that show it"),
    "inline.sides": Requirement(REVIEWS, "LEFT numbers the base, RIGHT the head"),
    "inline.renamed": Requirement(REVIEWS, "a renamed file's old path leads to its new one"),
    "inline.no-patch": Requirement(REVIEWS, "a file without a patch takes file comments only"),
    "inline.suggestion": Requirement(REVIEWS, "a suggestion is fenced, placed and kept rightly"),
    "inline.head-moved": Requirement(REVIEWS, "a head that moves is checked again, once"),
    "inline.base-moved": Requirement(REVIEWS, "lines are those of one base and one head"),
    "inline.commit": Requirement(REVIEWS, "a commit that is named is one of the pull request"),
    "inline.outdated": Requirement(REVIEWS, "outdated comments are told and keep their line"),
    "inline.own-pending": Requirement(REVIEWS, "one's own pending review is named, never touched"),
    "inline.duplicates": Requirement(REVIEWS, "the same comment is found instead of repeated"),
    "inline.no-duplicate": Requirement(REVIEWS, "a cut connection never makes two comments"),
    "inline.closed-doors": Requirement(REVIEWS, "merged takes comments, locked does not"),
    "inline.paths": Requirement(REVIEWS, "spellings of a path are mended, slips are answered"),
    "inline.listing": Requirement(REVIEWS, "comments are listed to the end, with their places"),
    "inline.lost-update": Requirement(REVIEWS, "an edit over a newer edit answers CONFLICT"),
    "inline.binding": Requirement(USERS, "a context reaches no comment of another pull request"),
    "inline.secrets-out": Requirement(USERS, "no secret is posted in a review comment"),
    "inline.invisible-in": Requirement(USERS, "what a diff hides is shown to a model"),
    "inline.fast": Requirement(USERS, "300 files and 20,000 lines cost 300 ms of CPU at most"),
    # Reviews
    "reviews.good-and-bad": Requirement(REVIEWS, "good comments are posted, bad ones are told"),
    "reviews.approve": Requirement(OPERATORS, "nothing is approved unless the operator allows it"),
    "reviews.own-pull-request": Requirement(REVIEWS, "nobody judges their own pull request"),
    "reviews.own-pending": Requirement(REVIEWS, "a pending review is named, never discarded"),
    "reviews.head-moved": Requirement(REVIEWS, "a review outlives one push between check and post"),
    "reviews.duplicates": Requirement(REVIEWS, "what stands there already is not posted again"),
    "reviews.no-duplicate": Requirement(REVIEWS, "a cut connection never makes two reviews"),
    "reviews.closed-doors": Requirement(REVIEWS, "merged takes reviews and replies, locked not"),
    "reviews.listing": Requirement(REVIEWS, "reviews are listed to the end, ghosts and drafts too"),
    "reviews.secrets-out": Requirement(USERS, "no secret is posted in a review or reply"),
    "reviews.binding": Requirement(USERS, "a context reaches no review of another pull request"),
    "threads.listing": Requirement(
        REVIEWS, "open threads are listed to the end, with their first words"
    ),
    "threads.reply": Requirement(REVIEWS, "a reply goes to the head of its thread"),
    "threads.resolve": Requirement(REVIEWS, "threads are resolved by any name, and opened again"),
    "threads.many": Requirement(REVIEWS, "a thread is found among hundreds"),
    "threads.deleted": Requirement(REVIEWS, "what is deleted meanwhile is told"),
    "threads.no-duplicate": Requirement(REVIEWS, "a cut connection never makes two replies"),
    "threads.binding": Requirement(USERS, "no thread of another pull request is touched"),
    # Issues
    "issues.seed-fields": Requirement(ISSUES, "results have the seed's fields, names and types"),
    "issues.pulls-left-out": Requirement(
        ISSUES, "pull requests are left out of a list, which pages on until its limit"
    ),
    "issues.comma-labels": Requirement(
        ISSUES, "all labels of a filter must be there, those with commas too"
    ),
    "issues.cursors": Requirement(USERS, "a cursor is good for its own list only"),
    "issues.null-body": Requirement(ISSUES, "a null body is empty, a deleted author null"),
    "issues.moved": Requirement(ISSUES, "a moved issue is read where it is, and not written"),
    "issues.closed-doors": Requirement(
        ISSUES, "deleted, disabled, archived, locked and missing are told apart"
    ),
    "issues.unknown-labels": Requirement(ISSUES, "labels that nobody made are not made unasked"),
    "issues.label-paths": Requirement(ISSUES, "no label's name leaves its place in a path"),
    "issues.comment-after-close": Requirement(
        ISSUES, "a closing comment comes after the close, so a failure leaves none"
    ),
    "issues.closed-once": Requirement(
        ISSUES, "closing comments at most once, with a marker exactly once, whatever is cut"
    ),
    "issues.pull-numbers": Requirement(ISSUES, "a pull request is closed only when it is meant"),
    "issues.opened-once": Requirement(
        ISSUES, "an issue with a marker is opened exactly once, whatever is cut"
    ),
    "issues.search-scope": Requirement(ISSUES, "no query searches beyond the repository"),
    "issues.search-limits": Requirement(
        ISSUES, "incomplete, capped, refused and throttled searches say so; none is semantic"
    ),
    "issues.rate-limit-alias": Requirement(USERS, "RATE_LIMITED has the seed's alias RATE_LIMIT"),
    # Pull requests
    "pull.diff-cut": Requirement(
        PULLS, "a diff is cut between files, hunks or lines; pages add up"
    ),
    "pull.diff-offset": Requirement(PULLS, "an offset at which no page begins is refused"),
    "pull.diff-memory": Requirement(
        USERS, "a diff of any size takes three pages of memory at most"
    ),
    "pull.diff-refused": Requirement(PULLS, "a diff that GitHub refuses is rebuilt from the files"),
    "pull.diff-missing": Requirement(PULLS, "files without lines, or beyond 3,000, are told"),
    "pull.diff-moved": Requirement(PULLS, "a head that moves while the diff is read is told"),
    "pull.by-branch": Requirement(USERS, "a read finds the open pull request of a branch"),
    "pull.mergeable-null": Requirement(PULLS, "mergeable null is read again, and never false"),
    "pull.reviewers": Requirement(PULLS, "each reviewer's newest decision counts; authors go"),
    "pull.checks": Requirement(PULLS, "checks without permission are told, the rest stays"),
    "pull.merged": Requirement(PULLS, "a merged one is closed and merged"),
    "pull.exists": Requirement(PULLS, "a second one for a head is refused with its number"),
    "pull.no-commits": Requirement(PULLS, "a head without commits is told as such"),
    "pull.branches": Requirement(PULLS, "branches that are not there are told before or by GitHub"),
    "pull.forks": Requirement(PULLS, "heads of forks and of one's organization are opened"),
    "pull.rights": Requirement(PULLS, "missing push rights are told"),
    "pull.no-drafts": Requirement(PULLS, "a plan without drafts is told"),
    "pull.once": Requirement(PULLS, "whatever is cut, there is one pull request at most"),
    "pull.afterwards": Requirement(PULLS, "reviewers and labels that fail leave it open, told"),
    "pull.secrets-out": Requirement(USERS, "no secret is posted in a pull request"),
    "pull.binding": Requirement(USERS, "a context reaches no other pull request"),
    "pull.credentials": Requirement(USERS, "without a token its tools are listed and say so"),
    # Branch context
    "branch.detached": Requirement(TWIG, "a detached HEAD is told as one"),
    "branch.unborn": Requirement(TWIG, "a branch without a commit is answered"),
    "branch.linked-worktree": Requirement(TWIG, "a linked worktree finds the state"),
    "branch.no-worktree": Requirement(TWIG, "no, bare and sub-repositories answer their reason"),
    "branch.cycles": Requirement(TWIG, "cycles and diamonds end and are marked"),
    "branch.half-written": Requirement(TWIG, "half-written state is read again, then named"),
    "branch.newer-state": Requirement(TWIG, "a newer state is read as far as it is known"),
    "branch.stale": Requirement(TWIG, "branches gone from git are told as such"),
    "branch.hostile-names": Requirement(TWIG, "no branch name is ever an option of git"),
    "branch.remotes": Requirement(TWIG, "remote URLs of every form name owner and repository"),
    "branch.git-bounded": Requirement(OPERATORS, "a slow git is killed, nothing is left behind"),
    "branch.ownership": Requirement(TWIG, "dubious ownership is answered with the fix"),
    "branch.tree-text": Requirement(TWIG, "the tree's text is twig's"),
    "branch.resources": Requirement(TWIG, "the twig:// resources are read and subscribed to"),
    "branch.prompts": Requirement(TWIG, "the prompts stack-status and branch-context exist"),
    "twig.context-composed": Requirement(USERS, "a branch's context holds its PR, CI and issue"),
    "twig.context-degrades": Requirement(USERS, "a part that fails or is slow costs only itself"),
    "twig.issue-key": Requirement(TWIG, "the key in a branch's name is found, and none made up"),
    "twig.prompts-composed": Requirement(USERS, "the prompts tell what the parts say, as data"),
    # Router
    "router.eras": Requirement(MCP, "one URL serves the modern and the legacy eras"),
    "router.ladder": Requirement(MCP, "each malformed request gets its code and status"),
    "router.aggregate": Requirement(MCP, "lists of all servers are one list, in a stable order"),
    "router.one-server": Requirement(CLIENTS, "each server has an endpoint of its own"),
    "router.unknown-tool": Requirement(MCP, "an unknown tool is -32602 and names the nearest"),
    "router.streams": Requirement(MCP, "progress arrives while the tool still runs"),
    "router.cancel": Requirement(MCP, "a client that leaves cancels the tool"),
    "router.dead-server": Requirement(OPERATORS, "a dying server costs its own calls only"),
    "router.hostile-input": Requirement(OPERATORS, "no input of any kind ends the router"),
    "router.trace": Requirement(OPERATORS, "one trace per call, refusals included"),
    "router.loopback": Requirement(OPERATORS, "no open door beyond loopback"),
    "router.typescript": Requirement(CLIENTS, "the TypeScript SDK reads results and errors"),
    "router.delegation-narrow": Requirement(
        OPERATORS, "a delegated call has its caller's rights, context and time, and never more"
    ),
    "router.delegation-only-marked": Requirement(
        OPERATORS, "only a server that is marked for it is delegated to, and only by the router"
    ),
    # Contexts
    "context.query": Requirement(USERS, "a bad context URL is refused with key, value and fix"),
    "context.offer": Requirement(USERS, "a context lists what it reaches, and says why not more"),
    "context.bind": Requirement(USERS, "no argument, however spelled, gets around a binding"),
    "context.defaults": Requirement(USERS, "reads know the branch they stand on, writes never do"),
    "context.client": Requirement(USERS, "the client builders give a job's three servers, bound"),
    # The whole mesh
    "review.job": Requirement(USERS, "a review job uses its servers and reaches nothing else"),
    "review.laptop": Requirement(USERS, "on a laptop reads are about the branch one stands on"),
    "review.credentials": Requirement(USERS, "a missing token is told by every server alike"),
    # Basecamp
    "basecamp.credentials": Requirement(USERS, "without a token the tools are listed and say so"),
    "basecamp.status-upstream": Requirement(BASECAMP, "archived, trashed and all are asked for"),
    "basecamp.completed-upstream": Requirement(BASECAMP, "completed to-dos are asked for"),
    "basecamp.filters-honest": Requirement(
        BASECAMP, "a filter of ours reads on to the end, and never fakes one"
    ),
    "basecamp.groups": Requirement(BASECAMP, "to-dos inside groups are listed with their group"),
    "basecamp.dock": Requirement(BASECAMP, "disabled, absent and cloned tools are told apart"),
    "basecamp.no-inner-ids": Requirement(USERS, "no id of a board, set, vault or chat is needed"),
    "basecamp.title-and-body": Requirement(BASECAMP, "a to-do's content is its title"),
    "basecamp.nulls": Requirement(BASECAMP, "every field that the API sends null is read"),
    "basecamp.html": Requirement(BASECAMP, "a body becomes Markdown that loses nothing"),
    "basecamp.hostile-html": Requirement(BASECAMP, "hostile markup costs neither time nor text"),
    "basecamp.mentions": Requirement(BASECAMP, "a mention is a name"),
    "basecamp.attachments": Requirement(BASECAMP, "files, images, galleries, previews keep links"),
    "basecamp.paging": Requirement(BASECAMP, "lists beyond 145 items are whole, with totals"),
    "basecamp.campfire-paging": Requirement(BASECAMP, "a limit above a page is followed"),
    "basecamp.cursor": Requirement(USERS, "a cursor is signed, and good for its own list only"),
    "basecamp.refresh-once": Requirement(BASECAMP, "parallel refreshes are one request"),
    "basecamp.refresh-persisted": Requirement(
        BASECAMP, "a new refresh token is kept before its access token is used"
    ),
    "basecamp.token-expired": Requirement(BASECAMP, "a token beyond renewal is TOKEN_EXPIRED"),
    "basecamp.retry-after": Requirement(BASECAMP, "seconds, dates and nonsense are waited for"),
    "basecamp.refusals": Requirement(BASECAMP, "507, inactive accounts, every error shape"),
    "basecamp.people": Requirement(BASECAMP, "bots, tombstones and clients are people too"),
    "basecamp.no-access": Requirement(BASECAMP, "403 and 404 both mean no access, and say so"),
    "basecamp.moved": Requirement(BASECAMP, "what lies in another project is not found here"),
    "basecamp.bound": Requirement(USERS, "a context of one project reaches no other"),
    "basecamp.foreign-link": Requirement(OPERATORS, "the token follows no link elsewhere"),
    "basecamp.revalidated": Requirement(BASECAMP, "what has not changed is confirmed, not resent"),
    "basecamp.moments": Requirement(BASECAMP, "times with Z and with offsets are one time"),
    "basecamp.server-errors": Requirement(BASECAMP, "what fails at Basecamp is tried again"),
    "basecamp.user-agent": Requirement(BASECAMP, "each request says who asks, and whom to write"),
    "basecamp.known-paths": Requirement(BASECAMP, "only paths and parameters that exist are asked"),
    "basecamp.untrusted": Requirement(USERS, "what a person cannot see is not handed on"),
    "basecamp.never-writes": Requirement(USERS, "nothing but GET leaves, the refresh excepted"),
    # Jira
    "jira.markdown-out": Requirement(JIRA, "Markdown is posted whole, in the form the site keeps"),
    "jira.credentials": Requirement(USERS, "environment, files and netrc; what lacks is named"),
    "jira.netrc": Requirement(JIRA, "a netrc that cannot be used is said, not crashed on"),
    "jira.one-flavour": Requirement(JIRA, "Cloud or Data Center is found out once, and kept"),
    "jira.keys": Requirement(JIRA, "issue keys in every usual spelling, none that is a path"),
    "jira.default-key": Requirement(USERS, "without a key a read is about the branch's issue"),
    "jira.jql": Requirement(JIRA, "JQL is built with quoted values, people found by account"),
    "jira.allowlist": Requirement(JIRA, "an allowed project list is narrowed, never widened"),
    "jira.cursor": Requirement(JIRA, "a cursor is bound to its query"),
    "jira.search-removed": Requirement(JIRA, "the removed search is never an empty list"),
    "jira.bounded": Requirement(JIRA, "no unbounded query is sent, and fields are named"),
    "jira.adf": Requirement(JIRA, "every node of a document becomes Markdown"),
    "jira.adf-unknown": Requirement(JIRA, "an unknown node is kept as its text"),
    "jira.adf-media": Requirement(JIRA, "media is named, never fetched"),
    "jira.adf-lossy": Requirement(JIRA, "what loses its form is listed"),
    "jira.wiki-text": Requirement(JIRA, "wiki text becomes Markdown"),
    "jira.anonymous": Requirement(JIRA, "an answer to nobody is refused, success or not"),
    "jira.captcha": Requirement(JIRA, "a CAPTCHA is said to be one"),
    "jira.login-page": Requirement(JIRA, "a login page is no answer"),
    "jira.rate-limit": Requirement(JIRA, "a wait of 0 or of ages is clamped, three tries"),
    "jira.errors": Requirement(JIRA, "every shape of error becomes one of ours"),
    "jira.fields": Requirement(JIRA, "custom fields go by their names, nulls are no failures"),
    "jira.append-only": Requirement(JIRA, "writes add, behind their group; none edits"),
    "jira.never-writes": Requirement(USERS, "only GET and searches leave unless writes are on"),
    # The command line
    "run.whole": Requirement(USERS, "the mesh starts, answers the truth, and ends with Ctrl-C"),
    "run.port-taken": Requirement(USERS, "a taken port is one clear line"),
    "run.child-dies": Requirement(OPERATORS, "a dead server process is started again"),
    "run.small": Requirement(USERS, "both processes stay within their memory"),
    "run.demo": Requirement(USERS, "the demo answers without an account"),
    "stdio.whole": Requirement(CLIENTS, "the whole mesh is one stdio server"),
    "call.truth": Requirement(USERS, "`trunkline call` prints the truth about this checkout"),
    "connect.clients": Requirement(CLIENTS, "each client's configuration is printed and merged"),
    "doctor.checks": Requirement(USERS, "the doctor names what is wrong and how to mend it"),
    **GATEWAY,
    **CACHE,
    **SEEING,
    **SHIPPING,
    **BRIDGE,
}
