#!/usr/bin/env python3
"""Makes the first corpus of each target, fuzz/corpus/TARGET/, from the fixtures of the tests, each seed in the form that
the target's law reads."""

import hashlib
import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "tests/fixtures"
EXAMPLE = ROOT / "tests/example"
NEXT, WITH = b"\x1e", b"\x1f"
TEXTS = "lines sentences parse_fsrb parse_response parse_diff fences file_names search_replace json replies"


def seed(targets, content):
    """Keeps a seed of these targets, named by what it holds."""
    for target in targets.split():
        folder = ROOT / "fuzz/corpus" / target
        folder.mkdir(parents=True, exist_ok=True)
        (folder / hashlib.sha1(content).hexdigest()).write_bytes(content)


def files(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


def with_files(reply, folder):
    """A reply and the files that it is for: each behind U+001E, its path first."""
    rest = (NEXT + str(path.relative_to(folder)).encode() + b"\n" + path.read_bytes() for path in files(folder))
    return reply.read_bytes() + b"".join(rest)


def hunks(diff):
    """The hunks of a diff, each behind U+001E, their headers away."""
    lines = diff.splitlines(keepends=True)
    first = next((at for at, line in enumerate(lines) if line.startswith(b"@@")), len(lines))
    return b"".join(NEXT + b"1\n" if line.startswith(b"@@") else line for line in lines[first:])


def session(text, kind):
    """A text opened in the language server and asked about, one message a line."""
    uri = "file:///r/p." + kind
    document, place = {"uri": uri}, {"line": text.count("\n") // 2, "character": 1}
    both = {"textDocument": document, "position": place, "range": {"start": place, "end": place}, "context": {}}
    edit = {"range": {"start": {"line": 0, "character": 0}, "end": place}, "text": "x\n"}
    opened = {**document, "languageId": "markdown", "version": 1, "text": text}
    asked = "hover definition documentSymbol foldingRange codeAction codeLens diagnostic".split()
    messages = [
        {"method": "textDocument/didOpen", "params": {"textDocument": opened}},
        *({"id": number, "method": "textDocument/" + what, "params": both} for number, what in enumerate(asked)),
        {"id": "a", "method": "workspace/executeCommand", "params": {"command": "fsrb.apply", "arguments": [uri]}},
        {"method": "textDocument/didChange", "params": {"textDocument": {**document, "version": 2}, "contentChanges": [edit]}},
    ]
    return "\n".join(json.dumps(message, ensure_ascii=False, separators=(",", ":")) for message in messages).encode()


for path in files(FIXTURES) + files(EXAMPLE):
    if path.stat().st_size < 4096 and path.name.startswith(("input", "change")):
        kind = "diff" if path.suffix == ".diff" else "md"
        seed("lsp_messages", session(path.read_text(encoding="utf-8", errors="replace"), kind))
    if path.stat().st_size < 8192:
        seed(TEXTS, path.read_bytes())
for path in sorted(EXAMPLE.glob("*.fsrb")):
    seed("replies", with_files(path, EXAMPLE))
for change in sorted(FIXTURES.glob("diff/*/change.diff")):
    before, after = files(change.parent / "before"), files(change.parent / "after")
    seed("replies", with_files(change, change.parent / "before"))
    for old in before[:1]:
        old = old.read_bytes()
        lines = old.splitlines() or [b""]
        seed("hunks", old + hunks(change.read_bytes()))
        seed("edits", old + NEXT + lines[0] + WITH + b"x" + NEXT + lines[-1])
        for new in after[:1]:
            seed("diff_round_trip", old + NEXT + new.read_bytes())
for row in (FIXTURES / "paths.tsv").read_text().splitlines():
    if not row.startswith("#") and row.count("\t") >= 2:
        seed("paths", row.split("\t")[1].encode())
