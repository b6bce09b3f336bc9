// Runs a subcommand of the server program. The extension never runs any other program.

import { execFile } from 'node:child_process';
import * as path from 'node:path';
import type { CancellationToken } from 'vscode';

import { Problem, SHOW_LOG } from './problem';
import type { Server } from './server';

/** The output and the exit code of a run. */
export interface Output {
    readonly code: number;
    readonly stdout: string;
    readonly stderr: string;
}

/** The maximum size of the output, in bytes. */
const MAX_OUTPUT = 64 * 1024 * 1024;

export interface RunOptions {
    readonly input?: string;
    readonly cwd?: string;
    readonly cancel?: CancellationToken;
}

export function run(server: Server, args: readonly string[], options: RunOptions = {}): Promise<Output> {
    return new Promise((resolve, reject) => {
        const cwd = options.cwd ?? path.dirname(server.path);
        const settings = { cwd, maxBuffer: MAX_OUTPUT, windowsHide: true };
        const child = execFile(server.path, [...args], settings, (error, stdout, stderr) => {
            const code = error === null ? 0 : error.code;
            if (typeof code === 'number') {
                resolve({ code, stdout, stderr });
            } else if (options.cancel?.isCancellationRequested === true) {
                resolve({ code: -1, stdout, stderr });
            } else {
                const what = `pupil ${args[0] ?? ''} failed: ${error?.message ?? ''}`;
                reject(new Problem(what, '', [SHOW_LOG]));
            }
        });
        options.cancel?.onCancellationRequested(() => child.kill());
        // A program that exits early does not read all of its input.
        child.stdin?.on('error', () => undefined);
        child.stdin?.end(options.input ?? '');
    });
}
