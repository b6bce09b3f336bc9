// Which program is the server, and whether it is one that fits.
//
// A workspace must never have a say in it: settings of a workspace do not reach here, and no
// relative path does.

import { execFile } from 'node:child_process';
import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import { promisify } from 'node:util';
import type { ExtensionContext } from 'vscode';

import { OPEN_PATH_SETTING, Problem, RESTART } from './problem';
import { serverPath } from './settings';

/** A program that is the server. */
export interface Server {
    readonly path: string;
    /** Why it is this one, for people. */
    readonly origin: string;
    readonly version: string;
}

const PROGRAM = process.platform === 'win32' ? 'pupil.exe' : 'pupil';

/** How long the program may take to say its version, in milliseconds. */
const PATIENCE = 10_000;

/** Finds the server, or throws the problem. */
export async function findServer(context: ExtensionContext): Promise<Server> {
    const { version: needed } = context.extension.packageJSON as { version: string };
    const wanted = serverPath();
    if (wanted !== undefined) {
        await checkWanted(wanted);
        const version = await fittingVersion(wanted, needed);
        return { path: wanted, origin: 'set by pupil.server.path', version };
    }
    // The two were packaged together: there is nothing to check.
    const bundled = context.asAbsolutePath(path.join('server', PROGRAM));
    if ((await trouble(bundled)) === undefined) {
        return { path: bundled, origin: 'comes with the extension', version: needed };
    }
    for (const folder of searchPath()) {
        const found = path.join(folder, PROGRAM);
        if ((await trouble(found)) === undefined) {
            const version = await fittingVersion(found, needed);
            return { path: found, origin: `found in ${folder}`, version };
        }
    }
    throw new Problem(
        'Pupil cannot start: there is no program “pupil” on the PATH.',
        'Install it from a release of Pupil, or say where it is in the setting pupil.server.path.',
        [OPEN_PATH_SETTING, RESTART],
    );
}

/** Where programs are looked for. Editors that are not started from a shell often do not have
 * Cargo's folder on their PATH. */
function searchPath(): string[] {
    const folders = (process.env['PATH'] ?? '').split(path.delimiter);
    const cargo = process.env['CARGO_HOME'] ?? path.join(os.homedir(), '.cargo');
    return [...folders, path.join(cargo, 'bin')].filter((it) => path.isAbsolute(it));
}

async function checkWanted(wanted: string): Promise<void> {
    const why = await trouble(wanted);
    if (why !== undefined) {
        throw new Problem(
            `Pupil cannot start: ${wanted}, which the setting pupil.server.path names, ${why}.`,
            'Mend the setting or remove it.',
            [OPEN_PATH_SETTING, RESTART],
        );
    }
}

/** Why something is no program that can be started, if it is not. */
async function trouble(file: string): Promise<string | undefined> {
    try {
        const found = await fs.stat(file);
        if (found.isDirectory()) {
            return 'is a folder';
        }
        await fs.access(file, fs.constants.X_OK);
        return undefined;
    } catch (error) {
        const code = (error as NodeJS.ErrnoException).code;
        return code === 'EACCES' ? 'may not be run' : 'does not exist';
    }
}

/** The version of a program that fits to this version of the extension. */
async function fittingVersion(file: string, needed: string): Promise<string> {
    const line = await firstLine(file);
    const version = /^pupil (\d+\.\d+\.\d+\S*)$/u.exec(line)?.[1];
    if (version === undefined) {
        throw new Problem(
            `${file} is not Pupil: asked for its version, it says “${line.slice(0, 60)}”.`,
            'Say where Pupil is in the setting pupil.server.path.',
            [OPEN_PATH_SETTING, RESTART],
        );
    }
    const [major, minor] = numbers(version);
    const [neededMajor, neededMinor] = numbers(needed);
    if (major === neededMajor && minor >= neededMinor) {
        return version;
    }
    const isOld = major < neededMajor || (major === neededMajor && minor < neededMinor);
    throw new Problem(
        `${file} is Pupil ${version}, but this extension needs ${neededMajor}.${neededMinor}${isOld ? ' or newer' : ''}.`,
        isOld ? 'Update it from a newer release of Pupil.' : 'Update the extension.',
        [OPEN_PATH_SETTING, RESTART],
    );
}

/** Major and minor. */
function numbers(version: string): [number, number] {
    const [major, minor] = version.split('.').map(Number);
    return [major ?? 0, minor ?? 0];
}

async function firstLine(file: string): Promise<string> {
    try {
        const options = { timeout: PATIENCE, cwd: path.dirname(file), windowsHide: true };
        const { stdout } = await promisify(execFile)(file, ['--version'], options);
        return stdout.split('\n')[0]?.trim() ?? '';
    } catch (error) {
        const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
        throw new Problem(
            `Pupil cannot start: ${file} does not say its version (${reason}).`,
            'Say where Pupil is in the setting pupil.server.path.',
            [OPEN_PATH_SETTING, RESTART],
        );
    }
}
