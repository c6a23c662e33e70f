"""Takes pages that lie outside of docs/ into the book: a preprocessor of mdBook, which book.toml names.

Pages of docs/ link to pages beside the crates that these describe. A book has only what lies in docs/, so such a page becomes a
chapter below project/ in the book. A link to anything else outside of docs/ becomes plain text.
"""

import json
import os
import re
import sys

FENCE = re.compile(r"(^ *```.*?^ *```)", re.M | re.S)
LINK = re.compile(r"!?\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
TITLE = re.compile(r"^# (.*)", re.M)


def target(page, link):
    """Return the file that a link of a page leads to, and the heading in it."""
    path, _, heading = link.partition("#")
    return os.path.normpath(os.path.join(os.path.dirname(page), path)), heading and "#" + heading


def local(link):
    return not link.startswith("#") and ":" not in link


def chapters(items):
    """Return all chapters, depth first."""
    for chapter in (item["Chapter"] for item in items if "Chapter" in item):
        yield chapter
        yield from chapters(chapter["sub_items"])


def prose(content, change):
    """Return a text in which everything but code is changed."""
    return "".join(part if part.startswith("```") else change(part) for part in FENCE.split(content))


def linked(page, content):
    """Return the pages that a page links to, in order."""
    links = [link for part in FENCE.split(content)[::2] for _, link in LINK.findall(part) if local(link)]
    return [file for file, _ in (target(page, link) for link in links) if file.endswith(".md") and os.path.exists(file)]


def main():
    context, book = json.load(sys.stdin)
    docs = os.path.normpath(os.path.join(context["root"], context["config"]["book"].get("src", "src")))
    project = os.path.dirname(docs)
    # Pages by file: where each lies in the book. Records of tests have pictures of their own, and stay out.
    files = {os.path.join(docs, one["source_path"]): one for one in chapters(book["items"]) if one["path"]}
    added = {}
    for file, one in files.items():
        for page in linked(file, one["content"]):
            path = os.path.relpath(page, project)
            if page not in files and not path.startswith(("docs" + os.sep, "tests" + os.sep)):
                with open(page, encoding="utf-8") as opened:
                    content = opened.read()
                name = TITLE.search(content)
                added.setdefault(page, {"name": name[1] if name else path, "content": content, "number": None, "sub_items": [],
                                        "path": "project/" + path, "source_path": None, "parent_names": []})
    files |= added

    for file, one in files.items():
        def moved(found):
            text, link = found.groups()
            if not local(link):
                return found[0]
            there, heading = target(file, link)
            if there in files:
                place = files[there]["path"]
            elif there.startswith(os.path.join(docs, "")) and not there.endswith(".md"):
                place = os.path.relpath(there, docs)
            else:
                return text
            return found[0].replace(f"]({link})", f"]({os.path.relpath(place, os.path.dirname(one['path']) or '.')}{heading})")

        one["content"] = prose(one["content"], lambda part: LINK.sub(moved, part))
    if added:
        book["items"] += [{"PartTitle": "Beside the sources"}, *({"Chapter": one} for one in added.values())]
    json.dump(book, sys.stdout)


if sys.argv[1:2] == ["supports"]:
    sys.exit(0)
main()
