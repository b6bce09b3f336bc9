//! `LSP.md`: every method of the protocol, and whether the server has it, from what it announces to
//! a client that can do everything.

#[expect(dead_code, reason = "these tests use only a part of it")]
mod support;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use support::{Client, URI};

/// Whether the server has a method.
enum Has {
    /// If this part of its capabilities is there. If it is not: why.
    If(&'static str, &'static str),
    /// Always, and what it does with it.
    Yes(&'static str),
    /// Never, and why.
    No(&'static str),
}

use Has::{If, No, Yes};

const LATER: &str = "not yet";
const ALL_ON_DISK: &str = "names lead to files of the disk; what Puppet ships is shown by hovers";
const NO_NOTEBOOKS: &str = "there are no notebooks of Puppet";
const NO_NEED: &str = "changes on the disk are all that matters, and those are watched";

/// All methods of LSP 3.17 and 3.18 in the order of the specification.
const METHODS: &[(&str, &str, Has)] = &[
    ("Life of a session", "initialize", Yes("")),
    ("", "initialized", Yes("")),
    (
        "",
        "client/registerCapability",
        Yes("for watched files and changed settings"),
    ),
    (
        "",
        "client/unregisterCapability",
        No("what is registered holds for the whole session"),
    ),
    ("", "$/setTrace", Yes("")),
    ("", "$/logTrace", Yes("what is received and sent")),
    ("", "shutdown", Yes("")),
    ("", "exit", Yes("")),
    ("", "$/cancelRequest", Yes("")),
    ("", "$/progress", Yes("while the workspace is read")),
    (
        "Documents",
        "textDocument/didOpen",
        If("/textDocumentSync/openClose", ""),
    ),
    (
        "",
        "textDocument/didChange",
        If("/textDocumentSync/change", ""),
    ),
    (
        "",
        "textDocument/willSave",
        If("/textDocumentSync/willSave", "nothing is to be done"),
    ),
    (
        "",
        "textDocument/willSaveWaitUntil",
        If(
            "/textDocumentSync/willSaveWaitUntil",
            "fixes are applied when they are asked for",
        ),
    ),
    (
        "",
        "textDocument/didSave",
        If(
            "/textDocumentSync/save",
            "what is open wins over the disk, saved or not",
        ),
    ),
    (
        "",
        "textDocument/didClose",
        If("/textDocumentSync/openClose", ""),
    ),
    (
        "",
        "notebookDocument/didOpen",
        If("/notebookDocumentSync", NO_NOTEBOOKS),
    ),
    (
        "",
        "notebookDocument/didChange",
        If("/notebookDocumentSync", NO_NOTEBOOKS),
    ),
    (
        "",
        "notebookDocument/didSave",
        If("/notebookDocumentSync", NO_NOTEBOOKS),
    ),
    (
        "",
        "notebookDocument/didClose",
        If("/notebookDocumentSync", NO_NOTEBOOKS),
    ),
    (
        "Features of a document",
        "textDocument/declaration",
        If("/declarationProvider", LATER),
    ),
    (
        "",
        "textDocument/definition",
        If("/definitionProvider", LATER),
    ),
    (
        "",
        "textDocument/typeDefinition",
        If("/typeDefinitionProvider", LATER),
    ),
    (
        "",
        "textDocument/implementation",
        If("/implementationProvider", LATER),
    ),
    (
        "",
        "textDocument/references",
        If("/referencesProvider", LATER),
    ),
    (
        "",
        "textDocument/prepareCallHierarchy",
        If("/callHierarchyProvider", LATER),
    ),
    (
        "",
        "callHierarchy/incomingCalls",
        If("/callHierarchyProvider", LATER),
    ),
    (
        "",
        "callHierarchy/outgoingCalls",
        If("/callHierarchyProvider", LATER),
    ),
    (
        "",
        "textDocument/prepareTypeHierarchy",
        If("/typeHierarchyProvider", LATER),
    ),
    (
        "",
        "typeHierarchy/supertypes",
        If("/typeHierarchyProvider", LATER),
    ),
    (
        "",
        "typeHierarchy/subtypes",
        If("/typeHierarchyProvider", LATER),
    ),
    (
        "",
        "textDocument/documentHighlight",
        If("/documentHighlightProvider", LATER),
    ),
    (
        "",
        "textDocument/documentLink",
        If("/documentLinkProvider", LATER),
    ),
    (
        "",
        "documentLink/resolve",
        If(
            "/documentLinkProvider/resolveProvider",
            "links are complete at once",
        ),
    ),
    ("", "textDocument/hover", If("/hoverProvider", LATER)),
    ("", "textDocument/codeLens", If("/codeLensProvider", LATER)),
    (
        "",
        "codeLens/resolve",
        If("/codeLensProvider/resolveProvider", LATER),
    ),
    (
        "",
        "workspace/codeLens/refresh",
        If("/codeLensProvider", LATER),
    ),
    (
        "",
        "textDocument/foldingRange",
        If("/foldingRangeProvider", LATER),
    ),
    (
        "",
        "workspace/foldingRange/refresh",
        No("it rests on the text of the document alone"),
    ),
    (
        "",
        "textDocument/selectionRange",
        If("/selectionRangeProvider", LATER),
    ),
    (
        "",
        "textDocument/documentSymbol",
        If("/documentSymbolProvider", LATER),
    ),
    (
        "",
        "textDocument/semanticTokens/full",
        If("/semanticTokensProvider/full", LATER),
    ),
    (
        "",
        "textDocument/semanticTokens/full/delta",
        If("/semanticTokensProvider/full/delta", LATER),
    ),
    (
        "",
        "textDocument/semanticTokens/range",
        If("/semanticTokensProvider/range", LATER),
    ),
    (
        "",
        "workspace/semanticTokens/refresh",
        If("/semanticTokensProvider", LATER),
    ),
    (
        "",
        "textDocument/inlayHint",
        If("/inlayHintProvider", LATER),
    ),
    (
        "",
        "inlayHint/resolve",
        If("/inlayHintProvider/resolveProvider", LATER),
    ),
    (
        "",
        "workspace/inlayHint/refresh",
        If("/inlayHintProvider", LATER),
    ),
    (
        "",
        "textDocument/inlineValue",
        If("/inlineValueProvider", "there is no debugger of Puppet"),
    ),
    (
        "",
        "workspace/inlineValue/refresh",
        If("/inlineValueProvider", "there is no debugger of Puppet"),
    ),
    (
        "",
        "textDocument/moniker",
        If(
            "/monikerProvider",
            "there is no index across repositories that would use it",
        ),
    ),
    (
        "",
        "textDocument/completion",
        If("/completionProvider", LATER),
    ),
    (
        "",
        "completionItem/resolve",
        If("/completionProvider/resolveProvider", LATER),
    ),
    (
        "",
        "textDocument/publishDiagnostics",
        Yes("to clients that do not ask for them"),
    ),
    (
        "",
        "textDocument/diagnostic",
        If("/diagnosticProvider", LATER),
    ),
    (
        "",
        "workspace/diagnostic",
        If("/diagnosticProvider/workspaceDiagnostics", LATER),
    ),
    (
        "",
        "workspace/diagnostic/refresh",
        If("/diagnosticProvider", LATER),
    ),
    (
        "",
        "textDocument/signatureHelp",
        If("/signatureHelpProvider", LATER),
    ),
    (
        "",
        "textDocument/codeAction",
        If("/codeActionProvider", LATER),
    ),
    (
        "",
        "codeAction/resolve",
        If("/codeActionProvider/resolveProvider", LATER),
    ),
    (
        "",
        "textDocument/documentColor",
        If("/colorProvider", "there are no colours in Puppet"),
    ),
    (
        "",
        "textDocument/colorPresentation",
        If("/colorProvider", "there are no colours in Puppet"),
    ),
    (
        "",
        "textDocument/formatting",
        If("/documentFormattingProvider", LATER),
    ),
    (
        "",
        "textDocument/rangeFormatting",
        If("/documentRangeFormattingProvider", LATER),
    ),
    (
        "",
        "textDocument/rangesFormatting",
        If(
            "/documentRangeFormattingProvider/rangesSupport",
            "clients ask for one range after the other instead",
        ),
    ),
    (
        "",
        "textDocument/onTypeFormatting",
        If("/documentOnTypeFormattingProvider", LATER),
    ),
    ("", "textDocument/rename", If("/renameProvider", LATER)),
    (
        "",
        "textDocument/prepareRename",
        If("/renameProvider/prepareProvider", LATER),
    ),
    (
        "",
        "textDocument/linkedEditingRange",
        If(
            "/linkedEditingRangeProvider",
            "no two places must be the same as tags must; renaming does the rest",
        ),
    ),
    (
        "",
        "textDocument/inlineCompletion",
        If(
            "/inlineCompletionProvider",
            "what is certain is a word, and candidates are ranked: a list serves it better",
        ),
    ),
    (
        "Features of the workspace",
        "workspace/symbol",
        If("/workspaceSymbolProvider", LATER),
    ),
    (
        "",
        "workspaceSymbol/resolve",
        If(
            "/workspaceSymbolProvider/resolveProvider",
            "symbols are complete at once",
        ),
    ),
    ("", "workspace/configuration", Yes("the section `pupil`")),
    ("", "workspace/didChangeConfiguration", Yes("")),
    (
        "",
        "workspace/workspaceFolders",
        No("the client tells them at the start and when they change"),
    ),
    (
        "",
        "workspace/didChangeWorkspaceFolders",
        If("/workspace/workspaceFolders/changeNotifications", LATER),
    ),
    (
        "",
        "workspace/willCreateFiles",
        If(
            "/workspace/fileOperations/willCreate",
            "nothing is to be done",
        ),
    ),
    (
        "",
        "workspace/didCreateFiles",
        If("/workspace/fileOperations/didCreate", NO_NEED),
    ),
    (
        "",
        "workspace/willRenameFiles",
        If("/workspace/fileOperations/willRename", LATER),
    ),
    (
        "",
        "workspace/didRenameFiles",
        If("/workspace/fileOperations/didRename", NO_NEED),
    ),
    (
        "",
        "workspace/willDeleteFiles",
        If(
            "/workspace/fileOperations/willDelete",
            "nothing is to be done",
        ),
    ),
    (
        "",
        "workspace/didDeleteFiles",
        If("/workspace/fileOperations/didDelete", NO_NEED),
    ),
    ("", "workspace/didChangeWatchedFiles", Yes("")),
    (
        "",
        "workspace/executeCommand",
        If(
            "/executeCommandProvider",
            "code actions are edits, which need no commands",
        ),
    ),
    (
        "",
        "workspace/applyEdit",
        If(
            "/executeCommandProvider",
            "nothing is changed that was not asked for",
        ),
    ),
    (
        "",
        "workspace/textDocumentContent",
        If("/workspace/textDocumentContent", ALL_ON_DISK),
    ),
    (
        "",
        "workspace/textDocumentContent/refresh",
        If("/workspace/textDocumentContent", ALL_ON_DISK),
    ),
    (
        "The window",
        "window/showMessage",
        Yes("settings that make no sense"),
    ),
    (
        "",
        "window/showMessageRequest",
        No("nothing needs an answer"),
    ),
    (
        "",
        "window/showDocument",
        No("nothing is opened that was not asked for"),
    ),
    ("", "window/logMessage", Yes("the log")),
    (
        "",
        "window/workDoneProgress/create",
        Yes("while the workspace is read"),
    ),
    (
        "",
        "window/workDoneProgress/cancel",
        No("reading the workspace is not optional"),
    ),
    ("", "telemetry/event", No("nothing is gathered")),
];

/// A client that can do everything.
fn everything() -> Value {
    let resolve = json!({"properties": ["edit", "tooltip", "command", "documentation"]});
    json!({
        "general": {"positionEncodings": ["utf-8", "utf-16"]},
        "workspace": {
            "applyEdit": true,
            "configuration": true,
            "workspaceFolders": true,
            "workspaceEdit": {
                "documentChanges": true,
                "resourceOperations": ["create", "rename", "delete"],
                "changeAnnotationSupport": {"groupsOnLabel": true},
            },
            "didChangeConfiguration": {"dynamicRegistration": false},
            "didChangeWatchedFiles": {"dynamicRegistration": false},
            "fileOperations": {"willRename": true, "didRename": true},
            "diagnostics": {"refreshSupport": true},
            "inlayHint": {"refreshSupport": true},
            "semanticTokens": {"refreshSupport": true},
            "codeLens": {"refreshSupport": true},
        },
        "textDocument": {
            "codeAction": {
                "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}},
                "resolveSupport": resolve,
                "dataSupport": true,
            },
            "codeLens": {"resolveSupport": resolve},
            "completion": {"completionItem": {"snippetSupport": true, "resolveSupport": resolve, "labelDetailsSupport": true}},
            "declaration": {"linkSupport": true},
            "definition": {"linkSupport": true},
            "diagnostic": {},
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
            "hover": {"contentFormat": ["markdown"]},
            "implementation": {"linkSupport": true},
            "inlayHint": {"resolveSupport": resolve},
            "rename": {"prepareSupport": true, "honorsChangeAnnotations": true},
            "signatureHelp": {"signatureInformation": {"parameterInformation": {"labelOffsetSupport": true}}},
            "typeDefinition": {"linkSupport": true},
        },
        "window": {"workDoneProgress": true},
    })
}

fn is_announced(capabilities: &Value, pointer: &str) -> bool {
    let found = capabilities.pointer(pointer);
    found.is_some_and(|it| !it.is_null() && *it != json!(false))
}

/// The page about what the server announces.
fn page(capabilities: &Value) -> String {
    let mut text = "# The protocol\n\n\
        What pupil does of the Language Server Protocol, of versions 3.17 and 3.18, with a client \
        that can do everything.\nA test writes this page from what the server announces \
        (`server/tests/methods.rs`).\n\n\
        Beside it there is one request of its own, `pupil/workspace`: no parameters; the answer is \
        what `pupil workspace --format json` prints.\n\n\
        Partial results (`partialResultToken`) are not sent: answers that speak of everything take \
        less than a tenth of a second, and the order of their parts is a part of them. Every \
        answer comes whole, which the protocol allows.\n\n\
        A rename changes every name that is written out. Names that are put together, as in \
        `include \"web::${x}\"`, stay as they are; if one of them may be the name that is given up, \
        all edits carry a change annotation with `needsConfirmation`, which says where. A client that \
        cannot ask its user gets an error that says the same (`changeAnnotationSupport`, and for \
        `textDocument/rename` `honorsChangeAnnotations`).\n"
        .to_owned();
    for (title, method, has) in METHODS {
        if !title.is_empty() {
            text.push_str(&format!("\n## {title}\n\n| method | | |\n|---|---|---|\n"));
        }
        let (answer, remark) = match has {
            If(pointer, _) if is_announced(capabilities, pointer) => ("yes", ""),
            If(_, why) | No(why) => ("no", *why),
            Yes(what) => ("yes", *what),
        };
        text.push_str(&format!("| `{method}` | {answer} | {remark} |\n"));
    }
    text
}

#[test]
fn the_page_about_the_protocol_is_current() {
    let result = Client::start().handshake(everything());
    let page = page(&result["capabilities"]);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("LSP.md");
    if std::env::var_os("PUPIL_BLESS").is_some() {
        fs::write(&path, &page).expect("it is ours");
    }
    let current = fs::read_to_string(&path).expect("it is in the repository");
    assert_eq!(page, current, "PUPIL_BLESS=1 writes it");
}

/// All that is announced is in the table, so that nothing is forgotten there.
#[test]
fn everything_that_is_announced_is_in_the_table() {
    let result = Client::start().handshake(everything());
    let announced = result["capabilities"].as_object().expect("an object");
    let names = announced.iter().filter(|it| !it.1.is_null()).map(|it| it.0);
    let others = ["positionEncoding", "textDocumentSync", "workspace"];
    for name in names.filter(|it| !others.contains(&it.as_str())) {
        let pointer = format!("/{name}");
        let is_listed = |has: &Has| match has {
            If(it, _) => *it == pointer || it.starts_with(&format!("{pointer}/")),
            Yes(_) | No(_) => false,
        };
        assert!(METHODS.iter().any(|it| is_listed(&it.2)), "{name}");
    }
}

/// A request that is announced is answered, and one that is not is refused as the protocol says.
#[test]
fn what_is_announced_is_what_is_answered() {
    /// There is no such method; the library looks at the parameters first.
    const REFUSED: [i64; 2] = [-32601, -32602];
    let mut client = Client::start();
    let capabilities = client.handshake(everything())["capabilities"].clone();
    client.open(URI, "$a = 1\n");
    let zero = json!({"line": 0, "character": 0});
    let range = json!({"start": zero, "end": zero});
    let params = json!({
        "textDocument": {"uri": URI},
        "position": zero,
        "positions": [zero],
        "range": range,
        "context": {
            "diagnostics": [],
            "includeDeclaration": true,
            "triggerKind": 1,
            "isRetrigger": false,
        },
        "query": "",
        "previousResultId": "",
        "previousResultIds": [],
        "newName": "$b",
        "options": {"tabSize": 2, "insertSpaces": true},
        "ch": "}",
        "item": {"name": "a", "kind": 5, "uri": URI, "range": range, "selectionRange": range},
    });
    for (_, method, has) in METHODS {
        let If(pointer, _) = has else { continue };
        let is_question = method.starts_with("textDocument/")
            && !method.contains("/did")
            && *method != "textDocument/willSave";
        if !is_question {
            continue;
        }
        let answer = client.request(method, params.clone());
        let code = answer["error"]["code"].as_i64();
        let is_refused = code.is_some_and(|it| REFUSED.contains(&it));
        let is_there = is_announced(&capabilities, pointer);
        assert_eq!(is_refused, !is_there, "{method}: {answer}");
    }
}
