"""What is said and planned in the demo's project."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from trunkline_shared.testing.basecamp.account import Account
from trunkline_shared.testing.basecamp.campfire import add_line
from trunkline_shared.testing.basecamp.files import add_document, add_upload
from trunkline_shared.testing.basecamp.people import Person
from trunkline_shared.testing.basecamp.projects import Project
from trunkline_shared.testing.basecamp.schedule import add_entry
from trunkline_shared.testing.basecamp.todos import add_step, add_todo, add_todolist

WEEKLY_REPORTS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """Who is in the demo's account; Grace has left it."""

    demo: Person
    alice: Person
    bob: Person
    bot: Person
    client: Person
    gone: Person


def messages(account: Account, project: Project, cast: Cast) -> None:
    """Post enough messages for two pages; the newest is the plan that everybody talks about."""
    board = project.tool("message_board")
    news = account.add_category("Announcement", "📢")
    for week in range(1, WEEKLY_REPORTS + 1):
        account.add_message(
            board, f"Week {week}", cast.gone, f"<div>Report of week {week}: on track.</div>"
        )
    file = account.attachment("launch-plan.pdf", byte_size=48_213)
    plan = account.add_message(
        board,
        "Launch plan for widgets 2.0",
        cast.alice,
        "<h1>Launch plan</h1><div>We go live in <strong>two weeks</strong>. "
        f"{_mention(cast.bob)}, please finish the landing page.</div>"
        "<ol><li>Freeze the API<ul><li>no new fields</li></ul></li><li>Press kit</li></ol>"
        "<pre>trunkline run --widgets 2</pre>"
        f'<bc-attachment sgid="sgid-{file.id}" content-type="application/pdf" '
        f'filename="{file.filename}"></bc-attachment>',
        category=news,
    )
    plan.attachments.append(file)
    account.add_comment(plan, cast.bob, "<div>The page will be ready on Friday.</div>")
    account.add_comment(plan, cast.client, "<div>Looks good to us, thanks!</div>")
    account.add_comment(plan, cast.bot, "<div>Staging is <em>green</em>.</div>")


def todos(account: Account, project: Project, cast: Cast) -> None:
    """Plan the launch: one list with a group in it, one that is done."""
    todoset = project.tool("todoset")
    launch = add_todolist(account, todoset, "Launch", cast.alice)
    launch.description = "<div>What <strong>has to</strong> be done before we go live</div>"
    page = add_todo(account, launch, "Finish the landing page", cast.alice)
    page.description = "<div>Three columns, <em>no</em> carousel</div>"
    page.assignees.append(cast.bob)
    page.due_on = (page.created_at + timedelta(days=4)).date()
    add_step(account, page, "Draft", cast.bob).completed_at = page.created_at
    add_step(account, page, "Review", cast.alice)
    freeze = add_todo(account, launch, "Freeze the API", cast.demo)
    freeze.assignees.append(cast.demo)
    freeze.complete(cast.demo, account.times.tick())
    notes = add_todo(account, launch, "Write the release notes", cast.alice)
    notes.assignees.append(cast.demo)
    notes.due_on = (notes.created_at + timedelta(days=7)).date()
    press = add_todolist(account, launch, "Press", cast.alice)
    add_todo(account, press, "Write the press release", cast.alice)
    add_todo(account, press, "Book the photographer", cast.gone)


def files_and_documents(account: Account, project: Project, cast: Cast) -> None:
    """Put a document and two files into the project."""
    vault = project.tool("vault")
    add_document(
        account,
        vault,
        "Positioning",
        cast.alice,
        "<h1>Positioning</h1><div>Widgets that do not wobble.</div>"
        "<blockquote>Finally!</blockquote>",
    )
    add_upload(account, vault, "logo.svg", cast.bob).content_type = "image/svg+xml"
    add_upload(account, vault, "launch-plan.pdf", cast.alice)


def chatter(account: Account, project: Project, cast: Cast) -> None:
    """Talk in the campfire."""
    chat = project.tool("chat")
    add_line(account, chat, cast.bob, "Is the API frozen?")
    add_line(account, chat, cast.demo, "<div>Since <strong>this morning</strong></div>")
    add_line(account, chat, cast.bot, "Build 512 passed")


def milestones(account: Account, project: Project, cast: Cast, launch: datetime) -> None:
    """Put the launch and the day before it into the schedule."""
    schedule = project.tool("schedule")
    rehearsal = launch - timedelta(days=1)
    add_entry(account, schedule, cast.alice, "Rehearsal", rehearsal, rehearsal + timedelta(hours=2))
    add_entry(account, schedule, cast.alice, "Launch day", launch.date())


def _mention(person: Person) -> str:
    return (
        f'<bc-attachment sgid="sgid-{person.id}" content-type="application/vnd.basecamp.mention">'
        f'<figure><img src="https://3.basecamp.com/avatar"><figcaption>{person.name}</figcaption>'
        "</figure></bc-attachment>"
    )
