// The commands. Each sends a request to the server, or runs its program, and shows the result.

import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import {
    commands,
    type Disposable,
    languages,
    type OutputChannel,
    ProgressLocation,
    type TextDocument,
    type TextEditor,
    window,
    workspace,
} from 'vscode';

import { problemOf } from './problem';
import { run, type RunOptions } from './run';
import { hoverOf, textOf } from './selection';
import type { Server } from './server';
import type { Session } from './session';
import { SECTION } from './settings';
import type { View } from './view';
import { describe, type Description, WORKSPACE_REQUEST } from './workspace';

export function registerCommands(session: Session, view: View, output: OutputChannel): Disposable[] {
    const all: Record<string, () => Promise<void>> = {
        restart: () => session.restart(),
        showSyntaxTree: () => showSyntaxTree(session, view),
        showType: () => showType(session, view),
        evaluate: () => evaluate(session, view),
        explain: () => explain(session, view),
        showWorkspace: () => showWorkspace(session, view),
        check: () => check(session, output),
        showLog: async () => {
            session.log.show();
            return Promise.resolve();
        },
    };
    return Object.entries(all).map(([name, action]) => {
        return commands.registerCommand(`${SECTION}.${name}`, async () => {
            try {
                await action();
            } catch (thrown) {
                problemOf(thrown).show();
            }
        });
    });
}

async function showSyntaxTree(session: Session, view: View): Promise<void> {
    const editor = puppetEditor();
    if (editor === undefined) {
        return;
    }
    const tree = await withCopy(editor.document, async (file) => {
        return await run(await session.server(), ['debug', 'tree', file]);
    });
    await view.open(`${path.basename(editor.document.fileName)} (syntax tree)`, tree.stdout || tree.stderr);
}

/** Runs an action on a temporary copy of a document, which may have unsaved changes. */
async function withCopy<T>(document: TextDocument, action: (file: string) => Promise<T>): Promise<T> {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'pupil-'));
    try {
        const file = path.join(folder, document.languageId === 'epp' ? 'copy.epp' : 'copy.pp');
        await fs.writeFile(file, document.getText());
        return await action(file);
    } finally {
        await fs.rm(folder, { recursive: true, force: true });
    }
}

async function showType(session: Session, view: View): Promise<void> {
    const editor = puppetEditor();
    const client = runningClient(session);
    if (editor === undefined || client === undefined) {
        return;
    }
    const hover = await hoverOf(client, editor.document, editor.selection);
    if (hover === undefined) {
        void window.showInformationMessage('The type of the selection is unknown.');
        return;
    }
    await view.answer('Type of selection', textOf(hover));
}

/** Shows the page of a rule: of the diagnostic at the cursor, or of the one that the user chooses. */
async function explain(session: Session, view: View): Promise<void> {
    const server = await session.server();
    const code = codeAtCursor() ?? (await chosenRule(server));
    if (code !== undefined) {
        const page = await run(server, ['explain', code]);
        await view.answer(code, page.stdout || page.stderr);
    }
}

/** Returns the code of the diagnostic at the cursor. */
function codeAtCursor(): string | undefined {
    const editor = window.activeTextEditor;
    if (editor === undefined) {
        return undefined;
    }
    const cursor = editor.selection.active;
    const found = languages.getDiagnostics(editor.document.uri).find((it) => {
        return it.source === SECTION && it.range.contains(cursor);
    });
    const code = typeof found?.code === 'object' ? found.code.value : found?.code;
    return code?.toString();
}

async function chosenRule(server: Server): Promise<string | undefined> {
    const rules = await run(server, ['explain']);
    const items = rules.stdout.trimEnd().split('\n').map((line) => {
        const [code = '', level = '', ...summary] = line.split(/\s+/);
        return { label: code, description: level, detail: summary.join(' ') };
    });
    const chosen = await window.showQuickPick(items, { placeHolder: 'A rule', matchOnDetail: true });
    return chosen?.label;
}

async function evaluate(session: Session, view: View): Promise<void> {
    const editor = window.activeTextEditor;
    const code = editor === undefined ? '' : codeOf(editor);
    if (code.trim() === '') {
        void window.showInformationMessage('Select the Puppet code to evaluate.');
        return;
    }
    const version: unknown = workspace.getConfiguration(SECTION).get('puppetVersion');
    const release = version === 7 ? ['--puppet', '7'] : [];
    const args = ['eval', '--color', 'never', ...release];
    const answer = await run(await session.server(), args, { input: code, ...(await directoryOf(editor?.document)) });
    await view.answer('Value of selection', `${answer.stdout}${answer.stderr}`);
}

/** Returns the working directory of a run that may use the workspace of a document. */
async function directoryOf(document: TextDocument | undefined): Promise<Pick<RunOptions, 'cwd'>> {
    const isFile = document?.uri.scheme === 'file';
    const cwd = isFile ? path.dirname(document.uri.fsPath) : workspace.workspaceFolders?.[0]?.uri.fsPath;
    const found = cwd === undefined ? undefined : await fs.stat(cwd).catch(() => undefined);
    return cwd !== undefined && found?.isDirectory() === true ? { cwd } : {};
}

/** Returns the selection, or the line of the cursor. */
function codeOf({ document, selection }: TextEditor): string {
    return selection.isEmpty ? document.lineAt(selection.active.line).text : document.getText(selection);
}

async function showWorkspace(session: Session, view: View): Promise<void> {
    const client = runningClient(session);
    if (client !== undefined) {
        const found = await client.sendRequest<Description>(WORKSPACE_REQUEST);
        await view.open('Workspace contents', describe(found));
    }
}

async function check(session: Session, output: OutputChannel): Promise<void> {
    const folders = (workspace.workspaceFolders ?? []).filter((it) => it.uri.scheme === 'file');
    if (folders.length === 0) {
        void window.showInformationMessage('No folder is open. Open a folder to check it.');
        return;
    }
    const server = await session.server();
    const modulepath = workspace.getConfiguration(SECTION).get<string[]>('modulepath', []);
    const paths = modulepath.flatMap((it) => ['--modulepath', it]);
    output.clear();
    const last = await window.withProgress(
        { location: ProgressLocation.Notification, title: 'pupil check', cancellable: true },
        async (_progress, cancel) => {
            let summary = '';
            for (const folder of folders) {
                const cwd = folder.uri.fsPath;
                const args = ['check', '--color', 'never', ...paths, cwd];
                const answer = await run(server, args, { cwd, cancel });
                if (cancel.isCancellationRequested) {
                    return 'cancelled';
                }
                output.append(answer.stdout);
                output.append(answer.stderr);
                summary = summaryLine(answer.stdout || answer.stderr);
            }
            return summary;
        },
    );
    output.show(true);
    void window.showInformationMessage(`pupil check: ${last}`);
}

/** Returns the line with the number of problems. The number of fixable ones follows it. */
function summaryLine(text: string): string {
    const lines = text.trimEnd().split('\n');
    return lines.findLast((it) => / in \d+ files?/.test(it)) ?? lines.at(-1) ?? '';
}

function puppetEditor(): TextEditor | undefined {
    const editor = window.activeTextEditor;
    if (editor !== undefined && ['puppet', 'epp'].includes(editor.document.languageId)) {
        return editor;
    }
    void window.showInformationMessage('Open a manifest or a template first.');
    return undefined;
}

function runningClient(session: Session): Session['client'] {
    if (session.client?.isRunning() === true) {
        return session.client;
    }
    void window.showInformationMessage('Pupil is not running. Run “Pupil: Restart Server” to start it.');
    return undefined;
}
