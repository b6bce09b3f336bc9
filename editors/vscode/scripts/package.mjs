// Packages the extension as a .vsix file in out/.
//
//   node scripts/package.mjs                                      without a server
//   node scripts/package.mjs --target linux-x64 --binary FILE     with a bundled server
//
// Strips debug information from the copy of the binary if `strip` is available.

import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { createVSIX } from '@vscode/vsce';

import { project } from '../../../.github/packages/project.mjs';

const { values } = parseArgs({
    options: { target: { type: 'string' }, binary: { type: 'string' } },
});
const root = path.dirname(import.meta.dirname);
const server = path.join(root, 'server');
const out = path.join(root, 'out');

if ((values.target === undefined) !== (values.binary === undefined)) {
    console.error('--target and --binary must be used together');
    process.exit(2);
}
await import('./build.mjs');
fs.rmSync(server, { recursive: true, force: true });
fs.mkdirSync(out, { recursive: true });
// Extensions for TOML complete and check `pupil.toml` with it.
const schema = path.join(root, 'pupil.schema.json');
fs.copyFileSync(path.join(root, '../../server/pupil.schema.json'), schema);
if (values.binary !== undefined) {
    copyServer(values.binary, values.target.startsWith('win32') ? 'pupil.exe' : 'pupil');
}
const packagePath = path.join(out, `pupil-${values.target ?? 'universal'}.vsix`);
const target = values.target === undefined ? {} : { target: values.target };
const manifest = path.join(root, 'package.json');
const original = fs.readFileSync(manifest, 'utf8');
try {
    fs.writeFileSync(manifest, withRepository(original));
    await createVSIX({
        cwd: root,
        packagePath,
        dependencies: false,
        allowMissingRepository: true,
        ...target,
    });
} finally {
    fs.writeFileSync(manifest, original);
    fs.rmSync(server, { recursive: true, force: true });
    fs.rmSync(schema);
}
const size = fs.statSync(packagePath).size / 1e6;
console.log(`${path.relative(process.cwd(), packagePath)}: ${size.toFixed(1)} MB`);

/** Adds the address of the repository in Cargo.toml to the manifest of the extension. */
function withRepository(text) {
    const { repository } = project();
    if (repository === '') {
        return text;
    }
    return JSON.stringify({ ...JSON.parse(text), repository: { type: 'git', url: `${repository}.git` } }, null, 2);
}

function copyServer(binary, name) {
    fs.mkdirSync(server);
    const copy = path.join(server, name);
    fs.copyFileSync(binary, copy);
    fs.chmodSync(copy, 0o755);
    try {
        execFileSync('strip', [copy], { stdio: 'ignore' });
        if (process.platform === 'darwin') {
            // Stripping invalidates the signature, and macOS does not start such a program: sign it ad hoc.
            execFileSync('codesign', ['--force', '--sign', '-', copy], { stdio: 'ignore' });
        }
    } catch {
        console.error('warning: binary not stripped: no suitable `strip` found');
    }
}
