// The lifecycle of the server: start, stop, crash and restart. The status item always shows the current
// state, and each problem is reported once.

import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type Disposable, type ExtensionContext, type LogOutputChannel, window, workspace } from 'vscode';
import {
    CloseAction,
    type CloseHandlerResult,
    type ErrorHandler,
    ErrorAction,
    type ErrorHandlerResult,
    LanguageClient,
    type LanguageClientOptions,
    RevealOutputChannelOn,
    State,
    type WorkDoneProgressBegin,
    type WorkDoneProgressEnd,
    type WorkDoneProgressReport,
} from 'vscode-languageclient/node';

import { DOCUMENTS, hasOutline } from './documents';
import { Problem, problemOf, RESTART, SHOW_LOG } from './problem';
import { ReferencesFeature } from './references';
import { findServer, type Server } from './server';
import { forServer, SECTION, serverLog } from './settings';
import { StatusItem } from './status';
import { opensCompletion } from './triggers';
import { type Description, WORKSPACE_REQUEST } from './workspace';

/** A server that crashes this often within `CRASH_WINDOW` milliseconds is not restarted. */
const MAX_CRASHES = 5;
const CRASH_WINDOW = 180_000;

/** The start of a log line on standard error. */
const LOG_LINE = /^\d{4}-\d\d-\d\dT\S+Z +(?:ERROR|WARN|INFO|DEBUG|TRACE) /u;


export class Session implements Disposable, ErrorHandler {
    readonly status = new StatusItem();
    private running: { readonly client: LanguageClient; readonly server: Server } | undefined;
    /** Runs starts and stops one after another. */
    private queue: Promise<void> = Promise.resolve();
    private crashes: number[] = [];
    /** The unreadable folders that have been reported. */
    private readonly reported = new Set<string>();

    constructor(
        private readonly context: ExtensionContext,
        readonly log: LogOutputChannel,
    ) {}

    get client(): LanguageClient | undefined {
        return this.running?.client;
    }

    /** Returns the running server, or the one that would be started. */
    async server(): Promise<Server> {
        return this.running?.server ?? (await findServer(this.context));
    }

    start(): Promise<void> {
        return this.enqueue(() => this.launch());
    }

    stop(): Promise<void> {
        return this.enqueue(() => this.halt());
    }

    restart(): Promise<void> {
        return this.enqueue(async () => {
            await this.halt();
            this.crashes = [];
            await this.launch();
        });
    }

    dispose(): void {
        this.status.dispose();
    }

    error(error: Error): ErrorHandlerResult {
        this.log.error(`connection error: ${error.message}`);
        return { action: ErrorAction.Continue, handled: true };
    }

    /** Handles an unexpected exit of the server. */
    closed(): CloseHandlerResult {
        const now = Date.now();
        this.crashes = [...this.crashes.filter((it) => now - it < CRASH_WINDOW), now];
        if (this.crashes.length < MAX_CRASHES) {
            this.log.error('the server stopped unexpectedly; restarting it');
            this.status.set({ kind: 'starting' });
            return { action: CloseAction.Restart, handled: true };
        }
        const problem = new Problem(
            `Pupil stopped ${MAX_CRASHES} times within three minutes and will not be restarted.`,
            'See the log for the cause, and please report it.',
            [SHOW_LOG, RESTART],
        );
        this.fail(problem);
        return { action: CloseAction.DoNotRestart, handled: true };
    }

    /** Warns about each unreadable workspace folder once. */
    async checkFolders(): Promise<void> {
        for (const folder of workspace.workspaceFolders ?? []) {
            const file = folder.uri.fsPath;
            if (folder.uri.scheme !== 'file' || this.reported.has(file)) {
                continue;
            }
            const why = await unreadable(file);
            if (why !== undefined) {
                this.reported.add(file);
                void window.showWarningMessage(
                    `Pupil cannot read the folder ${file}: ${why}. ` +
                        'Make it readable, then restart Pupil.',
                );
            }
        }
    }

    private enqueue(action: () => Promise<void>): Promise<void> {
        this.queue = this.queue.then(action).catch((thrown: unknown) => {
            this.fail(problemOf(thrown));
        });
        return this.queue;
    }

    private fail(problem: Problem): void {
        this.log.error(problem.message);
        this.status.set({ kind: 'failed', why: problem.message });
        problem.show();
    }

    private async launch(): Promise<void> {
        if (this.running !== undefined) {
            return;
        }
        this.status.set({ kind: 'starting' });
        const server = await findServer(this.context);
        this.log.info(`starting Pupil ${server.version}: ${server.path} (${server.origin})`);
        const client = this.newClient(server);
        this.running = { client, server };
        this.status.about(server);
        try {
            await client.start();
        } catch (thrown) {
            this.running = undefined;
            throw thrown;
        }
    }

    private async halt(): Promise<void> {
        const client = this.running?.client;
        this.running = undefined;
        this.status.about(undefined);
        this.status.set({ kind: 'stopped' });
        // A client whose start failed cannot be stopped.
        if (client?.needsStop() === true) {
            await client.stop();
        }
        await client?.dispose();
    }

    private newClient(server: Server): LanguageClient {
        const log = serverLog();
        const args = ['server', ...(log === undefined ? [] : ['--log', log])];
        // The workspace folder may be unreadable, so start the server in its own directory.
        const run = { command: server.path, args, options: { cwd: path.dirname(server.path) } };
        const client = new LanguageClient(SECTION, 'Pupil', run, this.options());
        client.registerFeature(new ReferencesFeature());
        client.onDidChangeState((change) => {
            if (change.newState === State.Running) {
                void this.isReady(client);
            }
        });
        return client;
    }

    private options(): LanguageClientOptions {
        return {
            documentSelector: DOCUMENTS,
            initializationOptions: forServer(),
            outputChannel: this.log,
            traceOutputChannel: this.log,
            revealOutputChannelOn: RevealOutputChannelOn.Never,
            stdioOptions: {
                stdout: () => undefined,
                stderr: (stream) => {
                    this.logErrors(stream);
                },
            },
            initializationFailedHandler: () => false,
            errorHandler: this,
            middleware: {
                // VS Code shows the candidates of before, and accepts them, until this is answered.
                provideCompletionItem: (document, position, context, token, next) =>
                    opensCompletion(document, position, context.triggerCharacter)
                        ? next(document, position, context, token)
                        : undefined,
                provideDocumentSymbols: (document, token, next) =>
                    hasOutline(document) ? undefined : next(document, token),
                provideFoldingRanges: (document, context, token, next) =>
                    hasOutline(document) ? undefined : next(document, context, token),
                handleWorkDoneProgress: (_token, params, next) => {
                    this.progress(params);
                    next(_token, params);
                },
                workspace: {
                    configuration: (params): unknown[] =>
                        params.items.map((it): unknown => (it.section === SECTION ? forServer() : null)),
                },
            },
        };
    }

    /** Logs standard error, except the log lines that the server also sends as messages. */
    private logErrors(stream: Readable): void {
        createInterface({ input: stream }).on('line', (line) => {
            if (!LOG_LINE.test(line)) {
                this.log.error(line);
            }
        });
    }

    /** Updates the status. The server reports progress only while it loads the workspace. */
    private progress(step: WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd): void {
        if (step.kind === 'end') {
            const client = this.running?.client;
            if (client !== undefined) {
                void this.isReady(client);
            }
        } else {
            const detail = step.percentage === undefined ? '' : `${step.percentage} %`;
            this.status.set({ kind: 'loading', detail });
        }
    }

    private async isReady(client: LanguageClient): Promise<void> {
        this.status.set({ kind: 'ready', notes: [] });
        try {
            const found = await client.sendRequest<Description>(WORKSPACE_REQUEST);
            const notes = found.notes.map((it) => `${it.path}: ${it.message}`);
            if (client === this.client && this.status.status.kind === 'ready') {
                this.status.set({ kind: 'ready', notes });
            }
        } catch (error) {
            this.log.warn(`cannot get the workspace contents: ${String(error)}`);
        }
    }
}

async function unreadable(folder: string): Promise<string | undefined> {
    try {
        await fs.readdir(folder);
        return undefined;
    } catch (error) {
        const code = (error as NodeJS.ErrnoException).code;
        if (code === 'EACCES' || code === 'EPERM') {
            return 'permission denied';
        }
        return code === 'ENOENT' ? 'it does not exist' : String(code);
    }
}
