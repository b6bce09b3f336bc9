// The preview of the catalog of the class or node definition at the cursor.

import {
    commands,
    type Disposable,
    type ExtensionContext,
    Position,
    Range,
    Selection,
    type TextDocument,
    type TextDocumentChangeEvent,
    type TextEditor,
    TextEditorRevealType,
    Uri,
    ViewColumn,
    type WebviewPanel,
    window,
    workspace,
} from 'vscode';

import { DATA_LANGUAGES } from '../documents';
import { problemOf } from '../problem';
import type { Session } from '../session';
import { ChosenTarget } from './choice';
import { page } from './page';
import {
    type Catalog,
    CATALOG_REQUEST,
    type Choices,
    CHOICES_REQUEST,
    type FromPage,
    type Place,
    type ToPage,
} from './protocol';

/** The pause after an edit, in milliseconds. */
const DEBOUNCE = 150;

/** The error codes of requests that an edit overtook. */
const OVERTAKEN = [-32801, -32800, -32802];

/** The class or node definition that is shown. */
interface Subject {
    readonly uri: Uri;
    position: Position;
    /** The range of the definition, once the server has found it. */
    definition: Range | undefined;
}

export class CatalogPreview implements Disposable {
    private readonly target: ChosenTarget;
    private readonly registrations: { dispose(): unknown }[];
    private panel: WebviewPanel | undefined;
    private subject: Subject | undefined;
    /** The document that a click in the graph has opened: the preview does not follow the editor there. */
    private visited: string | undefined;
    /** The position in a document at which a click in the graph has put the cursor. */
    private revealed: { readonly uri: string; readonly position: Position } | undefined;
    private timer: NodeJS.Timeout | undefined;
    /** The number of the last request. */
    private requests = 0;
    /** The messages for the page until it is ready. */
    private waiting: ToPage[] | undefined;
    private hasCatalog = false;

    constructor(
        private readonly context: ExtensionContext,
        private readonly session: Session,
    ) {
        this.target = new ChosenTarget(context);
        this.registrations = [
            this.target,
            this.target.onDidChange(() => {
                this.update(0);
            }),
            session.status.onDidChange((status) => {
                if (status.kind === 'ready') {
                    this.update(0);
                }
            }),
            window.onDidChangeActiveTextEditor((editor) => {
                this.follow(editor);
            }),
            window.onDidChangeTextEditorSelection(({ textEditor }) => {
                this.follow(textEditor);
            }),
            workspace.onDidChangeTextDocument((change) => {
                this.edited(change);
            }),
            command('showCatalog', () => {
                this.show();
            }),
            command('compileFor', () => this.choose()),
        ];
    }

    dispose(): void {
        clearTimeout(this.timer);
        this.panel?.dispose();
        for (const it of this.registrations) {
            it.dispose();
        }
    }

    private show(): void {
        const editor = window.activeTextEditor;
        this.visited = undefined;
        if (editor !== undefined && isManifest(editor.document)) {
            this.subject = subjectOf(editor);
        }
        if (this.subject === undefined) {
            void window.showInformationMessage('Open a manifest first.');
            return;
        }
        if (this.panel === undefined) {
            this.open();
        } else {
            this.panel.reveal(undefined, true);
        }
        this.update(0);
    }

    private open(): void {
        const dist = Uri.joinPath(this.context.extensionUri, 'dist');
        const panel = window.createWebviewPanel(
            'pupil.catalog',
            'Catalog',
            { viewColumn: ViewColumn.Beside, preserveFocus: true },
            { enableScripts: true, localResourceRoots: [dist], retainContextWhenHidden: true },
        );
        this.panel = panel;
        this.waiting = [];
        this.hasCatalog = false;
        panel.webview.onDidReceiveMessage((message: FromPage) => this.receive(message));
        panel.onDidDispose(() => {
            this.panel = undefined;
            this.subject = undefined;
            this.target.show(false);
            clearTimeout(this.timer);
        });
        panel.webview.html = page(panel.webview, dist);
        this.target.show(true);
    }

    private async receive(message: FromPage): Promise<void> {
        switch (message.kind) {
            case 'ready':
                if (this.waiting === undefined) {
                    // VS Code has loaded the page again, such as in another window.
                    this.update(0);
                }
                for (const it of this.waiting ?? []) {
                    void this.panel?.webview.postMessage(it);
                }
                this.waiting = undefined;
                break;
            case 'open':
                await this.reveal(message);
                break;
            case 'choose':
                await commands.executeCommand('pupil.compileFor');
                break;
        }
    }

    private send(message: ToPage): void {
        if (this.waiting === undefined) {
            void this.panel?.webview.postMessage(message);
        } else {
            this.waiting.push(message);
        }
    }

    /** Shows code in an editor that is not in the column of the preview. */
    private async reveal(place: Place): Promise<void> {
        const convert = this.session.client?.protocol2CodeConverter;
        if (convert === undefined || place.uri === undefined || place.range === undefined) {
            return;
        }
        const uri = convert.asUri(place.uri);
        const range = convert.asRange(place.range);
        const isSubject = uri.toString() === this.subject?.uri.toString();
        this.visited = isSubject ? undefined : uri.toString();
        const shown = window.visibleTextEditors.find((it) => it.document.uri.toString() === uri.toString());
        const beside = window.visibleTextEditors.find((it) => it.viewColumn !== this.panel?.viewColumn);
        const editor = await window.showTextDocument(uri, {
            viewColumn: shown?.viewColumn ?? beside?.viewColumn ?? ViewColumn.One,
            preserveFocus: true,
        });
        this.revealed = { uri: uri.toString(), position: range.start };
        editor.selection = new Selection(range.start, range.start);
        editor.revealRange(range, TextEditorRevealType.InCenterIfOutsideViewport);
    }

    /** Lets the user choose the node and the facts. */
    private async choose(): Promise<void> {
        const uri = this.subject?.uri ?? window.activeTextEditor?.document.uri;
        const client = this.session.client;
        if (uri === undefined || client?.isRunning() !== true) {
            void window.showInformationMessage('Open a manifest first.');
            return;
        }
        const textDocument = { uri: client.code2ProtocolConverter.asUri(uri) };
        const choices = await client.sendRequest<Choices | null>(CHOICES_REQUEST, { textDocument });
        await this.target.ask(choices ?? { facts: [], defaultFacts: null, nodes: [] });
    }

    /** Shows the definition at the cursor of an editor, unless it is shown already. */
    private follow(editor: TextEditor | undefined): void {
        if (this.panel === undefined || editor === undefined || !isManifest(editor.document)) {
            return;
        }
        const uri = editor.document.uri.toString();
        const cursor = editor.selection.active;
        const isRevealed = uri === this.revealed?.uri && cursor.isEqual(this.revealed.position);
        if (uri === this.visited || isRevealed) {
            return;
        }
        this.visited = undefined;
        this.revealed = undefined;
        const { subject } = this;
        if (subject?.uri.toString() !== uri) {
            this.subject = subjectOf(editor);
            this.update();
            return;
        }
        subject.position = cursor;
        if (subject.definition?.contains(cursor) !== true) {
            this.update();
        }
    }

    private edited(change: TextDocumentChangeEvent): void {
        const { document, contentChanges } = change;
        if (this.panel === undefined || contentChanges.length === 0 || !matters(document)) {
            return;
        }
        const { subject } = this;
        if (subject?.uri.toString() === document.uri.toString()) {
            for (const { range, text } of contentChanges) {
                subject.position = moved(subject.position, range, text);
            }
            subject.definition = undefined;
        }
        this.update();
    }

    /** Requests the catalog after a pause. */
    private update(pause = DEBOUNCE): void {
        if (this.panel === undefined) {
            return;
        }
        clearTimeout(this.timer);
        this.timer = setTimeout(() => void this.request(), pause);
    }

    private async request(): Promise<void> {
        const { client } = this.session;
        const { subject } = this;
        if (client?.isRunning() !== true || subject === undefined) {
            return;
        }
        this.requests += 1;
        const number = this.requests;
        this.send({ kind: 'choice', label: this.target.label });
        const params = {
            textDocument: { uri: client.code2ProtocolConverter.asUri(subject.uri) },
            position: client.code2ProtocolConverter.asPosition(subject.position),
            ...this.target.choice,
        };
        try {
            const catalog = await client.sendRequest<Catalog | null>(CATALOG_REQUEST, params);
            if (number === this.requests) {
                this.receiveCatalog(catalog, subject);
            }
        } catch (error) {
            if (number !== this.requests) {
                return;
            }
            if (OVERTAKEN.includes((error as { code?: number }).code ?? 0)) {
                this.update();
            } else {
                this.send({ kind: 'notice', message: (error as Error).message });
            }
        }
    }

    private receiveCatalog(catalog: Catalog | null, subject: Subject): void {
        if (catalog === null) {
            if (!this.hasCatalog) {
                this.send({ kind: 'notice', message: 'Move the cursor to a class or a node definition.' });
            }
            return;
        }
        const convert = this.session.client?.protocol2CodeConverter;
        subject.definition = convert?.asRange(catalog.definition);
        if (catalog.hasDefaultFacts) {
            this.target.setDefaultFacts(catalog.facts);
            this.send({ kind: 'choice', label: this.target.label });
        }
        if (catalog.errors.length > 0) {
            this.send({ kind: 'errors', title: catalog.title, errors: catalog.errors });
            return;
        }
        this.hasCatalog = true;
        if (this.panel !== undefined) {
            // The facts are in the status bar.
            this.panel.title = `Catalog: ${catalog.title.replace(/ with facts .*/u, '')}`;
        }
        this.send({ kind: 'catalog', catalog });
    }
}

function command(name: string, action: () => void | Promise<void>): Disposable {
    return commands.registerCommand(`pupil.${name}`, async () => {
        try {
            await action();
        } catch (thrown) {
            problemOf(thrown).show();
        }
    });
}

function isManifest(document: TextDocument): boolean {
    return document.languageId === 'puppet';
}

/** Checks whether catalogs may depend on a document. */
function matters(document: TextDocument): boolean {
    return ['puppet', 'epp', ...DATA_LANGUAGES].includes(document.languageId);
}

function subjectOf(editor: TextEditor): Subject {
    return { uri: editor.document.uri, position: editor.selection.active, definition: undefined };
}

/** Returns a position after an edit. */
function moved(position: Position, range: Range, text: string): Position {
    if (range.end.isAfter(position)) {
        return position;
    }
    const lines = text.split('\n');
    const line = position.line - (range.end.line - range.start.line) + lines.length - 1;
    if (position.line !== range.end.line) {
        return new Position(line, position.character);
    }
    const before = lines.length === 1 ? range.start.character : 0;
    const inserted = lines.at(-1)?.length ?? 0;
    return new Position(line, before + inserted + position.character - range.end.character);
}
