// Runs the packaged extension in the real VS Code:
//
//   node test/vscode/main.mjs BINARY CODE-SERVER YAML-SERVER MODULES [SESSION…]
//
// BINARY is the server to package, CODE-SERVER and YAML-SERVER are folders of npm packages, MODULES is a folder
// of Puppet modules for the large workspace.

import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';

import { runSession } from './editor.mjs';

/** The maximum size of a package, in bytes. */
const MAX_SIZE = 15e6;

const [binary, codeServer, yamlPackage, modules, ...wanted] = process.argv.slice(2);
const yamlServer = path.join(yamlPackage, 'bin/yaml-language-server');
const root = path.resolve(import.meta.dirname, '../..');
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'pupil-vscode-'));
const fixture = (name) => path.join(root, 'test/fixture', name);
const own = path.join(scratch, 'pupil');
const target = `${process.platform}-${process.arch}`;
const packages = {
    bundled: path.join(root, `out/pupil-${target}.vsix`),
    bare: path.join(root, 'out/pupil-universal.vsix'),
};

function workspace(name, from) {
    const to = path.join(scratch, 'workspaces', name);
    fs.cpSync(from, to, { recursive: true });
    return to;
}

function module(name) {
    const at = workspace(name, fixture('module'));
    fs.writeFileSync(path.join(at, 'Puppetfile'), "mod 'puppetlabs/stdlib', '9.0.0'\n");
    return at;
}

/** Creates a control repository that contains all modules. */
function controlRepository() {
    const at = workspace('control', fixture('control'));
    for (const name of fs.readdirSync(modules)) {
        const from = fs.realpathSync(path.join(modules, name));
        fs.cpSync(from, path.join(at, 'modules', name), { recursive: true });
    }
    return at;
}

/** Creates a workspace of two folders: one is unreadable, the other contains an unreadable folder. */
function lockedWorkspace() {
    const at = module('open-folder');
    const locked = path.join(scratch, 'workspaces/locked-folder');
    fs.mkdirSync(locked, { mode: 0o000 });
    fs.mkdirSync(path.join(at, 'manifests/secret'), { mode: 0o000 });
    const file = path.join(scratch, 'workspaces/two.code-workspace');
    fs.writeFileSync(file, JSON.stringify({ folders: [{ path: at }, { path: locked }] }));
    // Unreadable folders cannot be removed.
    process.on('exit', () => {
        [locked, path.join(at, 'manifests/secret')].forEach((it) => fs.chmodSync(it, 0o755));
        fs.rmSync(scratch, { recursive: true, force: true });
    });
    return file;
}

/** Creates a workspace whose settings name its own program and folders on another machine. */
function hostile() {
    const at = module('hostile');
    const program = path.join(at, 'evil');
    fs.writeFileSync(program, `#!/bin/sh\ntouch ${scratch}/was-run\necho 'pupil 0.1.0'\n`, { mode: 0o755 });
    fs.mkdirSync(path.join(at, '.vscode'));
    fs.writeFileSync(
        path.join(at, '.vscode/settings.json'),
        JSON.stringify({
            'pupil.server.path': program,
            'pupil.server.log': path.join(at, 'log'),
            'pupil.modulepath': ['//host/share'],
            'pupil.basemodulepath': ['//host/share'],
        }),
    );
    return at;
}

const SESSIONS = {
    features: () => ({ suite: 'features', vsix: packages.bundled, folder: module('shop') }),
    data: () => ({
        suite: 'data',
        vsix: packages.bundled,
        folder: workspace('data', fixture('data')),
        extensions: ['yaml'],
        env: { PUPIL_YAML_SERVER: yamlServer },
        standIns: [yamlServer],
    }),
    catalog: () => ({
        suite: 'catalog',
        vsix: packages.bundled,
        folder: workspace('catalog', fixture('catalog')),
        // In a browser, VS Code saves after a second, and the tests discard their changes.
        settings: { 'files.autoSave': 'off' },
    }),
    typing: () => ({
        suite: 'typing',
        vsix: packages.bundled,
        folder: module('typing'),
        env: { PUPIL_TYPED: fixture('typed.pp') },
        patience: 900_000,
    }),
    alone: () => ({
        suite: 'times',
        vsix: packages.bundled,
        folder: workspace('alone', fixture('alone')),
        env: { PUPIL_FILE: 'first.pp', PUPIL_LIMIT: '1000' },
        tries: 3,
    }),
    control: () => ({
        suite: 'times',
        vsix: packages.bundled,
        folder: controlRepository(),
        env: { PUPIL_FILE: 'manifests/site.pp', PUPIL_LIMIT: '2000' },
        tries: 3,
    }),
    missing: () => {
        fs.mkdirSync(path.join(scratch, 'path'));
        return {
            suite: 'missing',
            vsix: packages.bare,
            folder: module('missing'),
            env: { PATH: path.join(scratch, 'path'), PUPIL_BINARY: own, PUPIL_SCRATCH: scratch },
            standIns: ['old', 'new', 'other'].map((it) => path.join(scratch, it)),
        };
    },
    locked: () => ({ suite: 'locked', vsix: packages.bundled, workspace: lockedWorkspace(), bounded: true }),
    restricted: () => ({
        suite: 'restricted',
        vsix: packages.bundled,
        folder: hostile(),
        settings: { 'security.workspace.trust.enabled': true },
        env: { PUPIL_SCRATCH: scratch },
    }),
};

function packageAll() {
    const script = path.join(root, 'scripts/package.mjs');
    const run = (...args) => execFileSync(process.execPath, [script, ...args], { cwd: root, stdio: 'pipe' });
    run();
    run('--target', target, '--binary', binary);
    for (const file of Object.values(packages)) {
        const { size } = fs.statSync(file);
        console.log(`${path.basename(file)}: ${(size / 1e6).toFixed(2)} MB`);
        if (size >= MAX_SIZE) {
            throw new Error(`${file} is larger than ${MAX_SIZE / 1e6} MB`);
        }
    }
}

/** Runs a session. Retries sessions that measure time, because the machine may be busy. */
async function passes(tools, name) {
    const spec = SESSIONS[name]();
    for (let tries = 1; tries <= (spec.tries ?? 1); tries++) {
        try {
            if (await runSession(tools, { name: `${name}-${tries}`, ...spec })) {
                return true;
            }
        } catch (error) {
            console.log(`FAILED ${name}: ${error.stack}`);
        }
        console.log(`  load average: ${os.loadavg()[0].toFixed(1)} on ${os.cpus().length} processors`);
    }
    return false;
}

const started = Date.now();
const failed = [];
try {
    packageAll();
    fs.copyFileSync(binary, own);
    const tools = {
        codeServer: path.resolve(codeServer),
        scratch,
        serverMain: path.join(codeServer, 'lib/vscode/out/server-main.js'),
        images: process.env.PUPIL_PICTURES ? path.join(root, 'images') : process.env.PUPIL_PICTURES_TO ?? scratch,
    };
    for (const name of wanted.length > 0 ? wanted : Object.keys(SESSIONS)) {
        console.log(`\n${name}`);
        if (!(await passes(tools, name))) {
            failed.push(name);
        }
    }
} finally {
    process.on('exit', () => fs.rmSync(scratch, { recursive: true, force: true }));
}
const seconds = Math.round((Date.now() - started) / 1000);
console.log(`\n${failed.length === 0 ? 'all tests passed' : `failed: ${failed.join(', ')}`} (${seconds} s)`);
process.exit(failed.length === 0 ? 0 : 1);
