// The state of the server in the status bar.

import {
    type Disposable,
    EventEmitter,
    MarkdownString,
    StatusBarAlignment,
    type StatusBarItem,
    ThemeColor,
    window,
} from 'vscode';

import type { Server } from './server';

export type Status =
    | { readonly kind: 'stopped' }
    | { readonly kind: 'starting' }
    /** Loading the workspace, with the progress if it is known. */
    | { readonly kind: 'loading'; readonly detail: string }
    /** Ready, with notes about the workspace. */
    | { readonly kind: 'ready'; readonly notes: readonly string[] }
    | { readonly kind: 'failed'; readonly why: string };

/** The maximum number of notes in the tooltip. */
const MAX_NOTES = 5;

export class StatusItem implements Disposable {
    private readonly item: StatusBarItem;
    private readonly changes = new EventEmitter<Status>();
    private shown: Status = { kind: 'stopped' };
    private server: Server | undefined;

    readonly onDidChange = this.changes.event;

    constructor() {
        this.item = window.createStatusBarItem('pupil.status', StatusBarAlignment.Left, 0);
        this.item.name = 'Pupil';
        this.draw();
        this.item.show();
    }

    get status(): Status {
        return this.shown;
    }

    /** Sets the server that the tooltip describes. */
    about(server: Server | undefined): void {
        this.server = server;
        this.draw();
    }

    set(status: Status): void {
        this.shown = status;
        this.draw();
        this.changes.fire(status);
    }

    dispose(): void {
        this.item.dispose();
        this.changes.dispose();
    }

    private draw(): void {
        const status = this.shown;
        this.item.text = text(status);
        this.item.tooltip = this.tooltip();
        this.item.command = status.kind === 'failed' ? 'pupil.restart' : 'pupil.showWorkspace';
        this.item.backgroundColor =
            status.kind === 'failed'
                ? new ThemeColor('statusBarItem.errorBackground')
                : undefined;
        this.item.accessibilityInformation = { label: `Pupil: ${sentence(status)}` };
    }

    private tooltip(): MarkdownString {
        const tooltip = new MarkdownString('', true);
        tooltip.isTrusted = { enabledCommands: COMMANDS.map(([command]) => command) };
        tooltip.appendText(`Pupil: ${sentence(this.shown)}\n`);
        if (this.server !== undefined) {
            const { version, path, origin } = this.server;
            tooltip.appendMarkdown('\n\n').appendText(`${version}, ${path} (${origin})`);
        }
        const notes = this.shown.kind === 'ready' ? this.shown.notes : [];
        for (const note of notes.slice(0, MAX_NOTES)) {
            tooltip.appendMarkdown('\n\n').appendText(note);
        }
        if (notes.length > MAX_NOTES) {
            tooltip.appendMarkdown('\n\n').appendText(`and ${notes.length - MAX_NOTES} more`);
        }
        const links = COMMANDS.map(([command, label]) => `[${label}](command:${command})`);
        tooltip.appendMarkdown(`\n\n---\n\n${links.join(' · ')}`);
        return tooltip;
    }
}

const COMMANDS: readonly (readonly [string, string])[] = [
    ['pupil.restart', 'Restart'],
    ['pupil.showWorkspace', 'Workspace contents'],
    ['pupil.check', 'Check workspace'],
    ['pupil.showLog', 'Log'],
];

function text(status: Status): string {
    switch (status.kind) {
        case 'starting':
            return '$(loading~spin) Pupil';
        case 'loading':
            return `$(loading~spin) Pupil${status.detail === '' ? '' : ` ${status.detail}`}`;
        case 'failed':
            return '$(error) Pupil';
        case 'stopped':
            return '$(circle-slash) Pupil';
        case 'ready':
            return status.notes.length > 0 ? '$(info) Pupil' : 'Pupil';
    }
}

function sentence(status: Status): string {
    switch (status.kind) {
        case 'starting':
            return 'starting';
        case 'loading':
            return `loading the workspace ${status.detail}`.trim();
        case 'failed':
            return status.why;
        case 'stopped':
            return 'stopped';
        case 'ready':
            return 'ready';
    }
}
