// The settings of the extension itself. The server requests all others.

import * as os from 'node:os';
import * as path from 'node:path';
import { type ConfigurationChangeEvent, workspace, type WorkspaceConfiguration } from 'vscode';
import type { LSPAny } from 'vscode-languageclient/node';

import { OPEN_PATH_SETTING, Problem } from './problem';

export const SECTION = 'pupil';

/** Settings that take effect only when the server starts. */
const NEEDS_RESTART = ['pupil.server.path', 'pupil.server.log'];

export function needsRestart(change: ConfigurationChangeEvent): boolean {
    return NEEDS_RESTART.some((it) => change.affectsConfiguration(it));
}

/** The path of the server program, if the user has set it. */
export function serverPath(): string | undefined {
    return fullPath('server.path');
}

/** The path of the log file, if the user has set it. */
export function serverLog(): string | undefined {
    return fullPath('server.log');
}

/**
 * All settings, in the format of the server. Kinds of inlay hints that the user has not set are left out, so that
 * `pupil.toml` decides: a checkbox always has a value.
 */
export function forServer(): LSPAny {
    const configuration = workspace.getConfiguration(SECTION);
    const settings = JSON.parse(JSON.stringify(configuration)) as { inlayHints?: Record<string, LSPAny> };
    const hints = Object.entries(settings.inlayHints ?? {});
    settings.inlayHints = Object.fromEntries(hints.filter(([name]) => isSet(configuration, `inlayHints.${name}`)));
    return settings;
}

function isSet(configuration: WorkspaceConfiguration, name: string): boolean {
    const found = configuration.inspect(name);
    const values = [found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue];
    return values.some((it) => it !== undefined && it !== null);
}

/** Reads a setting that must be an absolute path. Relative paths would depend on the open folder. */
function fullPath(name: string): string | undefined {
    const value: unknown = workspace.getConfiguration(SECTION).get(name);
    if (value === null || value === undefined || value === '') {
        return undefined;
    }
    const setting = `${SECTION}.${name}`;
    if (typeof value !== 'string') {
        throw broken(setting, `expected a string, found ${JSON.stringify(value)}.`);
    }
    const expanded = value.replace(/^~(?=[/\\])/u, os.homedir());
    if (!path.isAbsolute(expanded)) {
        throw broken(setting, `expected an absolute path, found “${value}”.`);
    }
    return expanded;
}

function broken(setting: string, why: string): Problem {
    return new Problem(`Invalid setting ${setting}: ${why}`, 'Correct or remove it.', [
        OPEN_PATH_SETTING,
    ]);
}
