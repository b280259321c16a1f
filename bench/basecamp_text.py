"""A long rich text as Basecamp sends it: of everything some, most of it paragraphs."""

LENGTH = 200_000

_AVATAR = "https://3.basecamp-static.com/195539477/people/BAhpBMsqKjw=--5fe7b70f/avatar-64-x2"
_BLOB = "https://preview.3.basecampapi.com/195539477/blobs/63129eb69b03a8ec0cd941eb5cd44a2da646397a"
_SGID = "BAh7BkkiC19yYWlscwY6BkVUewdJIglkYXRhBjsAVEkiL2dpZDovL2JjMy9BdHRhY2htZW50LzEwNDY2Mjg1MjI"
_SENTENCE = (
    "The <strong>rollout of part {n}</strong> waits for review_of_{n} (see <em>section 3.*</em>),"
    " and costs less than $5 &amp; more than 1 &lt; 2 | maybe [both] &mdash; or so they say. "
)
_PLAIN = (
    "Nobody asked for [it] yet, and part_{n} of the plan (v1.2, ~3 days) does not say who would;"
    " #42 is about the same thing, so let us talk about it before the *next* release. "
)
_PARTS = (
    "<h1>Part {n}: what changed #{n}</h1>",
    f"<div>{(_SENTENCE + _PLAIN * 2) * 2}<br><br>{(_PLAIN + _SENTENCE) * 2}</div>",
    (
        "<div>Hello "
        f'<bc-attachment sgid="{_SGID}" content-type="application/vnd.basecamp.mention"><figure>'
        f'<img srcset="{_AVATAR} 2x" src="{_AVATAR}" class="avatar" alt="Victor Cooper" width="20">'
        "<figcaption>\n    Victor\n  </figcaption></figure></bc-attachment>, please look at "
        '<a href="https://3.basecamp.com/195539477/buckets/2/messages/{n}?a=1&amp;b=2">the plan</a>'
        " and at <code>make check</code>.<br>1. This is no list<br># and this no heading</div>"
    ),
    (
        "<ul><li>First of {n}<ul><li>with <em>one</em> inside</li><li>and another<ol><li>numbered"
        "</li><li>twice</li></ol></li></ul></li><li>Second, <strike>dropped</strike></li></ul>"
    ),
    "<div>" + (_SENTENCE + _PLAIN * 3) * 2 + "</div>",
    (
        f'<div><bc-attachment sgid="{_SGID}" content-type="image/jpeg" width="2560" height="1536"'
        f' url="{_BLOB}/previews/full" href="{_BLOB}/download/photo_{{n}}.jpg"'
        ' filename="photo_{n}.jpg" filesize="1234567" caption="The *new* office">'
        f'<figure><img srcset="{_BLOB}/previews/full 2x" src="{_BLOB}/previews/card">'
        "<figcaption>The *new* office</figcaption></figure></bc-attachment><bc-attachment"
        f' sgid="{_SGID}" content-type="application/pdf" href="{_BLOB}/download/plan_{{n}}.pdf"'
        ' filename="plan_{n}.pdf" filesize="12345"><figure><figcaption>plan_{n}.pdf</figcaption>'
        "</figure></bc-attachment></div>"
    ),
    "<blockquote>Somebody said:<br>" + _SENTENCE + _PLAIN + "</blockquote>",
    (
        '<pre class="language-python">def part_{n}(rows: list[int]) -&gt; int:\n'
        "    return sum(row * 2 for row in rows if row &lt; 3)\n</pre>"
    ),
    "<table><thead><tr><th>Name</th><th>Owner</th><th>Due | state</th></tr></thead><tbody>"
    + "<tr><td>Step {n}</td><td>Ann_e</td><td>2026-11-22 *late*</td></tr>" * 2
    + "</tbody></table>",
    "<p>" + (_PLAIN + _SENTENCE + _PLAIN * 2) * 3 + "</p>",
)


def basecamp_text() -> str:
    """Return `LENGTH` characters of it."""
    whole = "\n".join(_PARTS)
    count = LENGTH // len(whole) + 1
    return "\n".join(whole.replace("{n}", str(n)) for n in range(count))[:LENGTH]
