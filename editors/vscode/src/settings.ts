// The settings that the extension itself needs. All others are the server's: it asks for them.

import * as os from 'node:os';
import * as path from 'node:path';
import { type ConfigurationChangeEvent, workspace } from 'vscode';

import { OPEN_PATH_SETTING, Problem } from './problem';

export const SECTION = 'pupil';

/** Settings that count only when the server starts. */
const NEEDS_RESTART = ['pupil.server.path', 'pupil.server.log'];

export function needsRestart(change: ConfigurationChangeEvent): boolean {
    return NEEDS_RESTART.some((it) => change.affectsConfiguration(it));
}

/** The program that the user wants. */
export function serverPath(): string | undefined {
    return fullPath('server.path');
}

/** The file that the server writes its log to. */
export function serverLog(): string | undefined {
    return fullPath('server.log');
}

/** All settings, as the server reads them. */
export function forServer(): unknown {
    return JSON.parse(JSON.stringify(workspace.getConfiguration(SECTION)));
}

/** A setting that is a full path. Relative ones would depend on the folder that is open. */
function fullPath(name: string): string | undefined {
    const value: unknown = workspace.getConfiguration(SECTION).get(name);
    if (value === null || value === undefined || value === '') {
        return undefined;
    }
    const setting = `${SECTION}.${name}`;
    if (typeof value !== 'string') {
        throw broken(setting, `it must be text, not ${JSON.stringify(value)}.`);
    }
    const expanded = value.replace(/^~(?=[/\\])/u, os.homedir());
    if (!path.isAbsolute(expanded)) {
        throw broken(setting, `it must be a full path, not “${value}”.`);
    }
    return expanded;
}

function broken(setting: string, why: string): Problem {
    return new Problem(`The setting ${setting} cannot be used: ${why}`, 'Mend it or remove it.', [
        OPEN_PATH_SETTING,
    ]);
}
