//! Generates `LSP.md`: the support of every method of the protocol, derived from the capabilities
//! that the server announces to a client with all capabilities.

#[expect(dead_code, reason = "shared by several test crates")]
mod support;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use support::{Client, URI};

/// Whether the server supports a method.
enum Support {
    /// Supported if the server has this capability; otherwise not, for this reason.
    If(&'static str, &'static str),
    /// Supported, with a remark.
    Yes(&'static str),
    /// Not supported, for this reason.
    No(&'static str),
}

use Support::{If, No, Yes};

const LATER: &str = "not yet";
const ALL_ON_DISK: &str =
    "all locations are files on disk; those of names built into Puppet are in the cache directory";
const NO_NOTEBOOKS: &str = "Puppet has no notebooks";
const NO_DEBUGGER: &str = "Puppet has no debugger";
const NO_COLORS: &str = "Puppet has no colors";
const NO_EDITS: &str = "no edits are necessary";
const NO_NEED: &str = "changes on disk are reported by file watching";

const CUSTOM_REQUESTS: &str = r#"
## Custom requests

`pupil/workspace` has no parameters, and returns the output of `pupil workspace --format json`.

`pupil/catalog` compiles a [catalog](../docs/src/catalogs.md) from the documents as they are in the editor. Its parameters:

| field | content |
|---|---|
| `textDocument` | a manifest, open or in the workspace |
| `position` | optional: the innermost class or node definition around it is compiled. Outside of definitions, the only one of the document. Without a position, the first one |
| `facts` | the name of a fact set, or `null` for unknown facts. If it is missing, the only fact set of the project, the first file that `facts` in `pupil.toml` names, or that of the first platform in the metadata of the module; if there are none, facts are unknown |
| `node` | optional: the name of the node |
| `format` | `json` or `text`; `json` if it is missing |

The result is `null` if there is no class or node definition. Otherwise:

| field | content |
|---|---|
| `title` | what was compiled, for users |
| `facts`, `hasDefaultFacts` | the name of the fact set, `null` for unknown facts; and whether the server chose it |
| `uri`, `range`, `definition` | the document, and the ranges of the name and of the whole definition |
| `summary` | the numbers of resources; `null` if Puppet rejects the catalog |
| `errors` | the errors with which Puppet rejects the catalog, syntax errors too: `message`, `uri`, `range`, and `related` with the location of the other declaration. An error about a value in Hiera data is in the data, and `related` is the parameter. The lists below are empty then |
| `resources` | `reference`, `type`, `title`, `container`, `isCertain`, `condition`, `isVirtual`, `isExported`, `uri`, `range`, `parameters` |
| `edges` | `from`, `to`, `kind` (`before` or `notify`), `isAutomatic`, `uri`, `range` |
| `cycles` | lists of references |
| `gaps` | the code that may add resources or parameters: `reason`, `uri`, `range` |
| `lines` | for the format `text`, in place of these lists: the lines of the tree that `pupil catalog` prints, each with `text` and the `uri` and `range` that it is about |

A parameter has `name`, `value` (on one line and shortened, or the reason why it is unknown), `isKnown`, `origin` and `key` as in the JSON of `pupil catalog`, `uri` and `range`. Fields `uri` and `range` are missing if there is no such location.

The request fails with `InvalidParams` for an unknown fact set, and with `RequestFailed` for a document that belongs to no environment, and for a node definition with regular expressions only, unless `node` matches one. An edit of the document cancels it with `ContentModified`.

`pupil/catalogChoices` has the parameter `textDocument`. It returns the names that `pupil/catalog` accepts: `facts`, the fact sets, `defaultFacts`, that of requests without facts, and `nodes`, those that the main manifests name.
"#;

/// All methods of LSP 3.17 and 3.18 in the order of the specification.
const METHODS: &[(&str, &str, Support)] = &[
    ("Lifecycle", "initialize", Yes("")),
    ("", "initialized", Yes("")),
    (
        "",
        "client/registerCapability",
        Yes("for watched files, changed settings and formatters"),
    ),
    (
        "",
        "client/unregisterCapability",
        No("registrations last for the whole session"),
    ),
    ("", "$/setTrace", Yes("")),
    ("", "$/logTrace", Yes("received and sent messages")),
    ("", "shutdown", Yes("")),
    ("", "exit", Yes("")),
    ("", "$/cancelRequest", Yes("")),
    ("", "$/progress", Yes("while the workspace is loaded")),
    (
        "Document synchronization",
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
        If("/textDocumentSync/willSave", NO_EDITS),
    ),
    (
        "",
        "textDocument/willSaveWaitUntil",
        If(
            "/textDocumentSync/willSaveWaitUntil",
            "fixes are applied on request only",
        ),
    ),
    (
        "",
        "textDocument/didSave",
        If(
            "/textDocumentSync/save",
            "open documents take precedence over the disk, saved or not",
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
        "Language features",
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
            "links are returned complete",
        ),
    ),
    ("", "textDocument/hover", If("/hoverProvider", LATER)),
    ("", "textDocument/codeLens", If("/codeLensProvider", LATER)),
    (
        "",
        "codeLens/resolve",
        If(
            "/codeLensProvider/resolveProvider",
            "lenses are returned complete",
        ),
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
        No("folding ranges depend only on the text of the document"),
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
        If("/inlineValueProvider", NO_DEBUGGER),
    ),
    (
        "",
        "workspace/inlineValue/refresh",
        If("/inlineValueProvider", NO_DEBUGGER),
    ),
    (
        "",
        "textDocument/moniker",
        If(
            "/monikerProvider",
            "no index across repositories would use them",
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
        Yes("for clients that do not pull diagnostics"),
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
        If("/colorProvider", NO_COLORS),
    ),
    (
        "",
        "textDocument/colorPresentation",
        If("/colorProvider", NO_COLORS),
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
            "clients can format one range after another",
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
            "Puppet has no paired names such as tags; use rename instead",
        ),
    ),
    (
        "",
        "textDocument/inlineCompletion",
        If(
            "/inlineCompletionProvider",
            "completions are single names, for which a ranked list is better suited",
        ),
    ),
    (
        "Workspace features",
        "workspace/symbol",
        If("/workspaceSymbolProvider", LATER),
    ),
    (
        "",
        "workspaceSymbol/resolve",
        If(
            "/workspaceSymbolProvider/resolveProvider",
            "symbols are returned complete",
        ),
    ),
    ("", "workspace/configuration", Yes("the section `pupil`")),
    ("", "workspace/didChangeConfiguration", Yes("")),
    (
        "",
        "workspace/workspaceFolders",
        No("clients send the workspace folders in `initialize` and when they change"),
    ),
    (
        "",
        "workspace/didChangeWorkspaceFolders",
        If("/workspace/workspaceFolders/changeNotifications", LATER),
    ),
    (
        "",
        "workspace/willCreateFiles",
        If("/workspace/fileOperations/willCreate", NO_EDITS),
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
        If("/workspace/fileOperations/willDelete", NO_EDITS),
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
            "code actions are edits and need no commands",
        ),
    ),
    (
        "",
        "workspace/applyEdit",
        If(
            "/executeCommandProvider",
            "the server never initiates edits",
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
        "Window features",
        "window/showMessage",
        Yes("for invalid settings"),
    ),
    (
        "",
        "window/showMessageRequest",
        No("no message needs a response"),
    ),
    (
        "",
        "window/showDocument",
        No("the server never opens documents"),
    ),
    ("", "window/logMessage", Yes("the log")),
    (
        "",
        "window/workDoneProgress/create",
        Yes("while the workspace is loaded"),
    ),
    (
        "",
        "window/workDoneProgress/cancel",
        No("loading the workspace is not optional"),
    ),
    ("", "telemetry/event", No("no telemetry is collected")),
];

/// Returns the capabilities of a client that supports everything.
fn all_capabilities() -> Value {
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

/// Generates the page from the capabilities of the server.
fn render_page(capabilities: &Value) -> String {
    let mut text = "# Language Server Protocol support\n\n\
        The methods of the Language Server Protocol, versions 3.17 and 3.18, that Pupil supports \
        for a client with all capabilities.\nA test generates this page from the capabilities \
        that the server announces (`server/tests/protocol_page.rs`).\n\n\
        The server has custom requests, which are described at the end of this page.\n\n\
        Partial results (`partialResultToken`) are not supported, which the protocol allows: \
        responses about the whole workspace take less than a tenth of a second, and their items \
        are sorted.\n\n\
        Besides manifests and EPP templates, the server answers requests about open data of Hiera, project files, and \
        templates in ERB (`templates/**/*.erb` of a module): for the latter definitions, references, highlights, renames, \
        hovers and completion of the variables that they read, and diagnostics.\n\n\
        A rename changes every literal occurrence of a name. Interpolated names, as in \
        `include \"web::${x}\"`, are not changed, nor are strings that equal the name but may be used \
        for something else, as in `tagged('web::x')`. If one of them may refer to the renamed symbol, \
        all edits have a change annotation with `needsConfirmation`, which lists them. \
        Clients without support for this (`changeAnnotationSupport`, and for `textDocument/rename` \
        `honorsChangeAnnotations`) get an error with the same message.\n"
        .to_owned();
    for (title, method, support) in METHODS {
        if !title.is_empty() {
            text.push_str(&format!(
                "\n## {title}\n\n| method | supported | remarks |\n|---|---|---|\n"
            ));
        }
        let (answer, remark) = match support {
            If(pointer, _) if is_announced(capabilities, pointer) => ("yes", ""),
            If(_, why) | No(why) => ("no", *why),
            Yes(what) => ("yes", *what),
        };
        text.push_str(&format!("| `{method}` | {answer} | {remark} |\n"));
    }
    text.push_str(CUSTOM_REQUESTS);
    text
}

#[test]
fn protocol_page_is_up_to_date() {
    let result = Client::start().handshake(all_capabilities());
    let render_page = render_page(&result["capabilities"]);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("LSP.md");
    if std::env::var_os("PUPIL_BLESS").is_some() {
        fs::write(&path, &render_page).expect("the page can be written");
    }
    let current = fs::read_to_string(&path).expect("the page is in the repository");
    assert_eq!(render_page, current, "set PUPIL_BLESS=1 to update it");
}

/// The table includes all announced capabilities.
#[test]
fn table_lists_all_announced_capabilities() {
    let result = Client::start().handshake(all_capabilities());
    let announced = result["capabilities"].as_object().expect("an object");
    let names = announced.iter().filter(|it| !it.1.is_null()).map(|it| it.0);
    let others = ["positionEncoding", "textDocumentSync", "workspace"];
    for name in names.filter(|it| !others.contains(&it.as_str())) {
        let pointer = format!("/{name}");
        let is_listed = |support: &Support| match support {
            If(it, _) => *it == pointer || it.starts_with(&format!("{pointer}/")),
            Yes(_) | No(_) => false,
        };
        assert!(METHODS.iter().any(|it| is_listed(&it.2)), "{name}");
    }
}

/// Requests for announced capabilities are handled, all others are rejected as the protocol
/// requires.
#[test]
fn handles_exactly_the_announced_requests() {
    /// Method not found, or invalid parameters, which the library checks first.
    const REFUSED: [i64; 2] = [-32601, -32602];
    let mut client = Client::start();
    let capabilities = client.handshake(all_capabilities())["capabilities"].clone();
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
    for (_, method, support) in METHODS {
        let If(pointer, _) = support else { continue };
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
