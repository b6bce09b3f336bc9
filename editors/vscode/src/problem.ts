// What keeps the server from working, in words for the user, and what can be done about it.

import { commands, window } from 'vscode';

/** Something to press in a message. */
interface Remedy {
    readonly label: string;
    readonly run: () => Thenable<unknown>;
}

export const OPEN_PATH_SETTING: Remedy = {
    label: 'Open Setting',
    run: () => commands.executeCommand('workbench.action.openSettings', 'pupil.server.path'),
};

export const SHOW_LOG: Remedy = {
    label: 'Show Log',
    run: () => commands.executeCommand('pupil.showLog'),
};

export const RESTART: Remedy = {
    label: 'Try Again',
    run: () => commands.executeCommand('pupil.restart'),
};

/** Why the server cannot be used: one sentence of what is wrong, and one of what to do. */
export class Problem extends Error {
    constructor(
        readonly what: string,
        readonly advice: string,
        readonly remedies: readonly Remedy[],
    ) {
        super(`${what} ${advice}`);
    }

    /** Shows it once. Nobody waits for the user to press something. */
    show(): void {
        const labels = this.remedies.map((it) => it.label);
        void window.showErrorMessage(this.message, ...labels).then((pressed) => {
            return this.remedies.find((it) => it.label === pressed)?.run();
        });
    }
}

/** Whatever was thrown, as a problem. */
export function problemOf(thrown: unknown): Problem {
    if (thrown instanceof Problem) {
        return thrown;
    }
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    return new Problem(
        `Pupil did not start: ${sentence(reason)}`,
        'The log may say more.',
        [SHOW_LOG, RESTART],
    );
}

function sentence(text: string): string {
    const trimmed = text.trim();
    return /[.!?]$/u.test(trimmed) ? trimmed : `${trimmed}.`;
}
