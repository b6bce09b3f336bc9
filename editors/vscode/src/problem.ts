// Problems that keep the server from working, with advice for the user.

import { commands, window } from 'vscode';

/** A button of an error message. */
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

/** Why the server cannot be used: one sentence for the cause, and one for the solution. */
export class Problem extends Error {
    constructor(
        readonly what: string,
        readonly advice: string,
        readonly remedies: readonly Remedy[],
    ) {
        super(`${what} ${advice}`);
    }

    /** Shows an error message, and does not wait for the user's choice. */
    show(): void {
        const labels = this.remedies.map((it) => it.label);
        void window.showErrorMessage(this.message, ...labels).then((pressed) => {
            return this.remedies.find((it) => it.label === pressed)?.run();
        });
    }
}

/** Converts a thrown value to a problem. */
export function problemOf(thrown: unknown): Problem {
    if (thrown instanceof Problem) {
        return thrown;
    }
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    return new Problem(
        `Pupil failed to start: ${sentence(reason)}`,
        'See the log for details.',
        [SHOW_LOG, RESTART],
    );
}

function sentence(text: string): string {
    const trimmed = text.trim();
    return /[.!?]$/u.test(trimmed) ? trimmed : `${trimmed}.`;
}
