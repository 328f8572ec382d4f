"""The language server as the client of pytest-lsp sees it. The client checks each message against the protocol.

The server is that of this package, or of the program that the variable `HERBRAND` names.
"""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

pytest_lsp: Any = pytest.importorskip("pytest_lsp")
types: Any = pytest.importorskip("lsprotocol.types")

DOMAIN = """(define (domain trips)
  (:requirements :typing)
  (:types place)
  (:predicates (at ?p - place) (road ?p ?q - place) (odd))
  (:action drive :parameters (?p ?q - place) :precondition (and (at ?p) (road ?p ?q))
    :effect (and (at ?q) (not (at ?p)))))
"""
PROBLEM = """(define (problem home)
  (:domain trips)
  (:objects a b c - place)
  (:init (at a) (road a b) (road b c))
  (:goal (at c)))
"""


class Files:
    """A client with a domain and a problem open."""

    def __init__(self, client: Any, folder: Path) -> None:
        self.client = client
        self.texts = {(folder / name).as_uri(): text for name, text in (("domain.pddl", DOMAIN), ("p01.pddl", PROBLEM))}
        self.domain, self.problem = self.texts
        self.version = 1

    def open(self) -> None:
        for uri, text in self.texts.items():
            document = types.TextDocumentItem(uri=uri, language_id="pddl", version=1, text=text)
            self.client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=document))

    def position(self, uri: str, word: str, inside: int = 1) -> Any:
        before = self.texts[uri][: self.texts[uri].index(word) + inside]
        return types.Position(line=before.count("\n"), character=len(before) - before.rfind("\n") - 1)

    def replace(self, uri: str, old: str, new: str) -> None:
        start, end = self.position(uri, old, 0), self.position(uri, old, len(old))
        change = types.TextDocumentContentChangePartial(range=types.Range(start=start, end=end), text=new)
        self.version += 1
        self.texts[uri] = self.texts[uri].replace(old, new, 1)
        document = types.VersionedTextDocumentIdentifier(uri=uri, version=self.version)
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(text_document=document, content_changes=[change])
        )

    async def codes(self, uri: str, wanted: set[str]) -> list[Any]:
        """Waits until the diagnostics of a file have these codes."""
        while {str(one.code) for one in self.client.diagnostics.get(uri, ())} != wanted:
            await asyncio.wait_for(self.client.wait_for_notification("textDocument/publishDiagnostics"), 60)
        return list(self.client.diagnostics.get(uri, ()))

    def at(self, kind: Any, uri: str, word: str, **more: Any) -> Any:
        document = types.TextDocumentIdentifier(uri=uri)
        return kind(text_document=document, position=self.position(uri, word), **more)

    def of(self, kind: Any, uri: str, **more: Any) -> Any:
        return kind(text_document=types.TextDocumentIdentifier(uri=uri), **more)


async def try_all(files: Files) -> None:
    client, domain, problem = files.client, files.domain, files.problem
    whole = types.Range(start=types.Position(line=0, character=0), end=types.Position(line=99, character=0))
    files.open()
    (unread,) = await files.codes(domain, {"W0108"})
    assert unread.severity == types.DiagnosticSeverity.Hint
    assert list(unread.tags) == [types.DiagnosticTag.Unnecessary]
    await files.codes(problem, set())

    hover = await client.text_document_hover_async(files.at(types.HoverParams, domain, "road ?p ?q)"))
    assert "road" in hover.contents.value
    places = await client.text_document_definition_async(files.at(types.DefinitionParams, problem, "road a b"))
    assert (places[0] if isinstance(places, (list, tuple)) else places).uri == domain
    context = types.ReferenceContext(include_declaration=True)
    uses = await client.text_document_references_async(files.at(types.ReferenceParams, domain, "road", context=context))
    assert len(uses) == 4
    marks = await client.text_document_document_highlight_async(files.at(types.DocumentHighlightParams, domain, "road"))
    assert len(marks) == 2
    found = await client.text_document_completion_async(files.at(types.CompletionParams, problem, "c)))"))
    items = found if isinstance(found, (list, tuple)) else found.items
    assert {"a", "b", "c"} <= {item.label for item in items}
    signature = await client.text_document_signature_help_async(files.at(types.SignatureHelpParams, problem, " b) (road"))
    assert "road" in signature.signatures[0].label
    assert await client.text_document_document_symbol_async(files.of(types.DocumentSymbolParams, domain))
    assert await client.workspace_symbol_async(types.WorkspaceSymbolParams(query="drive"))
    assert await client.text_document_folding_range_async(files.of(types.FoldingRangeParams, domain))
    tokens = await client.text_document_semantic_tokens_full_async(files.of(types.SemanticTokensParams, domain))
    assert len(tokens.data) % 5 == 0 and tokens.data
    assert await client.text_document_inlay_hint_async(files.of(types.InlayHintParams, problem, range=whole))
    options = types.FormattingOptions(tab_size=2, insert_spaces=True)
    await client.text_document_formatting_async(files.of(types.DocumentFormattingParams, domain, options=options))
    await client.text_document_range_formatting_async(
        files.of(types.DocumentRangeFormattingParams, domain, range=whole, options=options)
    )
    prepared = await client.text_document_prepare_rename_async(files.at(types.PrepareRenameParams, domain, "road"))
    assert prepared.placeholder == "road"
    edit = await client.text_document_rename_async(files.at(types.RenameParams, domain, "road", new_name="street"))
    assert {uri: len(edits) for uri, edits in edit.changes.items()} == {domain: 2, problem: 2}
    lenses = await client.text_document_code_lens_async(files.of(types.CodeLensParams, problem))
    assert "Run a plan" in [lens.command.title for lens in lenses]
    plan = await client.workspace_execute_command_async(
        types.ExecuteCommandParams(command="herbrand.plan", arguments=[problem])
    )
    assert "drive" in str(plan)

    # A fault, and the edit that mends it.
    files.replace(domain, "(road ?p ?q))", "(raod ?p ?q))")
    fault = next(one for one in await files.codes(domain, {"W0108", "E0101"}) if one.code == "E0101")
    context = types.CodeActionContext(diagnostics=[fault])
    actions = await client.text_document_code_action_async(
        files.of(types.CodeActionParams, domain, range=fault.range, context=context)
    )
    assert any("road" in action.title for action in actions)
    files.replace(domain, "(raod ?p ?q))", "(road ?p ?q))")
    await files.codes(domain, {"W0108"})

    # Goals and actions that are impossible, once the server has grounded the problem.
    files.replace(problem, "(road b c)", "")
    (goal,) = await files.codes(problem, {"W0304"})
    assert "`drive` would add it, but" in goal.message
    files.replace(problem, "(road a b)", "")
    await files.codes(domain, {"W0108", "W0306", "W0307"})


async def run(folder: Path) -> None:
    client = pytest_lsp.make_test_lsp_client()
    program = os.environ.get("HERBRAND")
    command = [program] if program else [sys.executable, "-m", "herbrand"]
    await client.start_io(*command, "lsp")
    capabilities = pytest_lsp.client_capabilities("visual-studio-code")
    folders = [types.WorkspaceFolder(uri=folder.as_uri(), name="folder")]
    await client.initialize_session(types.InitializeParams(capabilities=capabilities, workspace_folders=folders))
    await try_all(Files(client, folder))
    await client.shutdown_session()
    await client.stop()


def test_every_feature_by_the_client_of_pytest_lsp(tmp_path: Path) -> None:
    asyncio.run(run(tmp_path))
