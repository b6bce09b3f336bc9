#!/usr/bin/env node
// Starts the program of the package for this platform, and ends as it does.

const { spawn } = require('node:child_process');

const name = `pupil-lsp-${process.platform}-${process.arch}`;
let program;
try {
    program = require.resolve(`${name}/pupil${process.platform === 'win32' ? '.exe' : ''}`);
} catch {
    console.error(
        `pupil: package ${name} not found: either there are no releases for this platform, or npm was told ` +
            'to omit optional dependencies',
    );
    process.exit(2);
}
const child = spawn(program, process.argv.slice(2), { stdio: 'inherit', windowsHide: true });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
}
child.on('error', (error) => {
    console.error(`pupil: cannot start ${program}: ${error.message}`);
    process.exit(2);
});
child.on('exit', (status, signal) => {
    if (signal === null) {
        process.exit(status);
    }
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
});
