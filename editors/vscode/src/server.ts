// Finds the server program and checks its version.
//
// A workspace must not influence the choice: workspace settings and relative paths are ignored.

import { execFile } from 'node:child_process';
import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import { promisify } from 'node:util';
import type { ExtensionContext } from 'vscode';

import { OPEN_PATH_SETTING, Problem, RESTART } from './problem';
import { serverPath } from './settings';

/** The server program. */
export interface Server {
    readonly path: string;
    /** Why this program was chosen, for the user. */
    readonly origin: string;
    readonly version: string;
}

const PROGRAM = process.platform === 'win32' ? 'pupil.exe' : 'pupil';

/** The timeout for reading the version of the program, in milliseconds. */
const PATIENCE = 10_000;

/** Finds the server, or throws a `Problem`. */
export async function findServer(context: ExtensionContext): Promise<Server> {
    const { version: needed } = context.extension.packageJSON as { version: string };
    const wanted = serverPath();
    if (wanted !== undefined) {
        await checkWanted(wanted);
        const version = await fittingVersion(wanted, needed);
        return { path: wanted, origin: 'set by pupil.server.path', version };
    }
    // The bundled server always has the version of the extension.
    const bundled = context.asAbsolutePath(path.join('server', PROGRAM));
    if ((await trouble(bundled)) === undefined) {
        return { path: bundled, origin: 'bundled with the extension', version: needed };
    }
    for (const folder of searchPath()) {
        const found = path.join(folder, PROGRAM);
        if ((await trouble(found)) === undefined) {
            const version = await fittingVersion(found, needed);
            return { path: found, origin: `found in ${folder}`, version };
        }
    }
    throw new Problem(
        'Pupil cannot start: program “pupil” not found on the PATH.',
        'Install it, or set its path in pupil.server.path.',
        [OPEN_PATH_SETTING, RESTART],
    );
}

/** The directories to search for the program. Editors that are not started from a shell often lack
 * Cargo's directory on their PATH. */
function searchPath(): string[] {
    const folders = (process.env['PATH'] ?? '').split(path.delimiter);
    const cargo = process.env['CARGO_HOME'] ?? path.join(os.homedir(), '.cargo');
    return [...folders, path.join(cargo, 'bin')].filter((it) => path.isAbsolute(it));
}

async function checkWanted(wanted: string): Promise<void> {
    const why = await trouble(wanted);
    if (why !== undefined) {
        throw new Problem(
            `Pupil cannot start: ${wanted}, set in pupil.server.path, ${why}.`,
            'Correct or remove the setting.',
            [OPEN_PATH_SETTING, RESTART],
        );
    }
}

/** Returns why a file cannot be started, or `undefined` if it can. */
async function trouble(file: string): Promise<string | undefined> {
    try {
        const found = await fs.stat(file);
        if (found.isDirectory()) {
            return 'is a directory';
        }
        await fs.access(file, fs.constants.X_OK);
        return undefined;
    } catch (error) {
        const code = (error as NodeJS.ErrnoException).code;
        return code === 'EACCES' ? 'is not executable' : 'does not exist';
    }
}

/** Returns the version of a program, or throws if it is not compatible with the extension. */
async function fittingVersion(file: string, needed: string): Promise<string> {
    const line = await firstLine(file);
    const version = /^pupil (\d+\.\d+\.\d+\S*)$/u.exec(line)?.[1];
    if (version === undefined) {
        throw new Problem(
            `${file} is not Pupil: --version printed “${line.slice(0, 60)}”.`,
            'Set the path of Pupil in pupil.server.path.',
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
        `${file} is Pupil ${version}, but this extension requires ${neededMajor}.${neededMinor}${isOld ? ' or later' : ''}.`,
        isOld ? 'Update Pupil.' : 'Update the extension.',
        [OPEN_PATH_SETTING, RESTART],
    );
}

/** Returns the major and the minor version. */
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
            `Pupil cannot start: ${file} --version failed (${reason}).`,
            'Set the path of Pupil in pupil.server.path.',
            [OPEN_PATH_SETTING, RESTART],
        );
    }
}
