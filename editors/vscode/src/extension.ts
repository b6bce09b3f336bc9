// The entry point of the extension. This file only connects the other modules.

import { type Event, type ExtensionContext, window, workspace } from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';

import { CatalogPreview } from './catalog/preview';
import { registerCommands } from './commands';
import { registerReferences } from './references';
import { Session } from './session';
import { needsRestart } from './settings';
import type { Status } from './status';
import { View } from './view';

/** The API for other extensions and for tests. */
export interface Api {
    /** When the extension was activated, in milliseconds since 1970. */
    readonly activated: number;
    readonly status: Status;
    readonly onDidChangeStatus: Event<Status>;
    readonly client: LanguageClient | undefined;
}

let session: Session | undefined;

export function activate(context: ExtensionContext): Api {
    const activated = Date.now();
    const log = window.createOutputChannel('Pupil', { log: true });
    const output = window.createOutputChannel('Pupil Check');
    const view = new View();
    const current = new Session(context, log);
    session = current;
    context.subscriptions.push(
        log,
        output,
        view,
        current,
        registerReferences(() => current.client),
        ...registerCommands(current, view, output),
        new CatalogPreview(context, current),
        workspace.onDidChangeConfiguration((change) => {
            if (needsRestart(change)) {
                void current.restart();
            }
        }),
        workspace.onDidChangeWorkspaceFolders(() => void current.checkFolders()),
    );
    // Do not wait for the server: highlighting and snippets work without it.
    void current.start();
    void current.checkFolders();
    return {
        activated,
        get status() {
            return current.status.status;
        },
        onDidChangeStatus: current.status.onDidChange,
        get client() {
            return current.client;
        },
    };
}

export async function deactivate(): Promise<void> {
    await session?.stop();
}
