// Shows the results of commands: short ones in a message, long ones in a read-only document.

import {
    type Disposable,
    env,
    EventEmitter,
    type TextDocumentContentProvider,
    Uri,
    ViewColumn,
    window,
    workspace,
} from 'vscode';

const SCHEME = 'pupil';

/** The maximum length of a message, in characters. */
const MAX_MESSAGE = 200;

export class View implements TextDocumentContentProvider, Disposable {
    private readonly texts = new Map<string, string>();
    private readonly changes = new EventEmitter<Uri>();
    private readonly registration: Disposable;

    readonly onDidChange = this.changes.event;

    constructor() {
        this.registration = workspace.registerTextDocumentContentProvider(SCHEME, this);
    }

    provideTextDocumentContent(uri: Uri): string {
        return this.texts.get(uri.path) ?? '';
    }

    /** Shows text in a read-only document beside the code. */
    async open(name: string, text: string): Promise<void> {
        const uri = Uri.from({ scheme: SCHEME, path: `/${name}` });
        this.texts.set(uri.path, text);
        this.changes.fire(uri);
        const document = await workspace.openTextDocument(uri);
        await window.showTextDocument(document, {
            viewColumn: ViewColumn.Beside,
            preserveFocus: true,
            preview: true,
        });
    }

    /** Shows a result in a message if it is short, and in a document otherwise. */
    async answer(name: string, text: string): Promise<void> {
        const line = text.trim();
        if (line.length > MAX_MESSAGE || line.split('\n').length > 2) {
            await this.open(name, `${line}\n`);
            return;
        }
        void window.showInformationMessage(line.replace('\n', ': '), 'Copy').then((pressed) => {
            return pressed === undefined ? undefined : env.clipboard.writeText(line);
        });
    }

    dispose(): void {
        this.registration.dispose();
        this.changes.dispose();
    }
}
