// A session of VS Code: the server with the extension host, and the window in a browser.

import { execFileSync, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as http from 'node:http';
import * as net from 'node:net';
import * as path from 'node:path';
import { chromium } from 'playwright-core';

import { watchProcesses } from './processes.mjs';

/** The timeout of a session, in milliseconds. */
const PATIENCE = 240_000;

/** How long a key is pressed, in milliseconds. */
const KEY_DELAY = 10;

/** The keys that leave a line, and the milliseconds before them: an edit on typing arrives only on the same line. */
const LINE_KEYS = ['Enter', 'ArrowDown'];
const LINE_DELAY = 150;

const SETTINGS = {
    'security.workspace.trust.enabled': false,
    'security.workspace.trust.startupPrompt': 'never',
    'security.workspace.trust.banner': 'never',
    'telemetry.telemetryLevel': 'off',
    'update.mode': 'none',
    'extensions.autoUpdate': false,
    'extensions.autoCheckUpdates': false,
    'extensions.ignoreRecommendations': true,
    'workbench.startupEditor': 'none',
    'workbench.tips.enabled': false,
    'workbench.enableExperiments': false,
    'workbench.settings.enableNaturalLanguageSearch': false,
    'chat.disableAIFeatures': true,
    'chat.commandCenter.enabled': false,
    'git.enabled': false,
    'editor.minimap.enabled': false,
    'editor.fontSize': 15,
    'breadcrumbs.enabled': false,
    'workbench.activityBar.location': 'hidden',
    'workbench.secondarySideBar.defaultVisibility': 'hidden',
    'editor.lightbulb.enabled': 'onCode',
};

/** Runs one suite. Returns whether all its tests passed. */
export async function runSession(tools, spec) {
    const data = path.join(tools.scratch, spec.name);
    const user = path.join(data, 'data/User');
    fs.mkdirSync(user, { recursive: true });
    fs.mkdirSync(path.join(data, 'home'), { recursive: true });
    fs.writeFileSync(path.join(user, 'settings.json'), JSON.stringify({ ...SETTINGS, ...spec.settings }));
    const env = environment(data, spec);
    const command = [tools.serverMain, '--server-data-dir', data];
    execFileSync(process.execPath, [...command, '--install-extension', spec.vsix], { env, stdio: 'pipe' });

    const page = { current: undefined };
    const driver = await startDriver(page, tools.images);
    const port = await freePort();
    const server = startServer([...command, '--port', String(port)], spec, {
        ...env,
        PUPIL_DRIVER: String(driver.address().port),
    });
    const processes = watchProcesses(server.pid, tools.codeServer, spec.standIns);
    let browser;
    try {
        await reachable(port, server);
        browser = await openBrowser(path.join(data, 'browser'));
        const code = await runSuite(browser, page, port, spec);
        return code === 0 && processes.verdict(spec.name);
    } finally {
        processes.stop();
        await browser?.close();
        driver.close();
        driver.closeAllConnections();
        await ended(server);
    }
}

function environment(data, spec) {
    const keep = Object.fromEntries(
        ['LANG', 'TMPDIR', 'USER', 'LOGNAME'].map((it) => [it, process.env[it]]).filter(([, it]) => it),
    );
    // Isolate the session from the user's programs and settings.
    return { ...keep, HOME: path.join(data, 'home'), PATH: '/usr/bin:/bin', SHELL: '/bin/sh', ...spec.env };
}

function startServer(command, spec, env) {
    const args = [
        ...command,
        '--host',
        '127.0.0.1',
        '--without-connection-token',
        '--accept-server-license-terms',
        '--telemetry-level',
        'off',
        '--enable-smoke-test-driver',
        // Use only the environment variables passed here.
        '--force-disable-user-env',
    ];
    const gallery = { EXTENSIONS_GALLERY: '{"serviceUrl":""}' };
    const options = { env: { ...env, ...gallery }, stdio: ['ignore', 'pipe', 'pipe'] };
    // Root can read every folder, so the test of unreadable folders drops that capability.
    const bounded = spec.bounded === true && process.getuid() === 0;
    const rights = '-dac_override,-dac_read_search';
    const child = bounded
        ? spawn('/usr/bin/setpriv', [`--bounding-set=${rights}`, `--inh-caps=${rights}`, process.execPath, ...args], options)
        : spawn(process.execPath, args, options);
    child.output = '';
    for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (text) => (child.output += text));
    }
    return child;
}

async function openBrowser(profile) {
    const args = [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
    ];
    return await chromium.launchPersistentContext(profile, {
        executablePath: '/usr/bin/chromium',
        headless: true,
        args,
        viewport: { width: 1000, height: 640 },
        deviceScaleFactor: 1.5,
        permissions: ['clipboard-read', 'clipboard-write'],
    });
}

async function runSuite(browser, page, port, spec) {
    const remote = (file) => `vscode-remote://127.0.0.1:${port}${file}`;
    const suite = path.join(import.meta.dirname, 'suites', `${spec.suite}.cjs`);
    const extensions = ['driver', ...(spec.extensions ?? [])].map((it) => path.join(import.meta.dirname, it));
    const payload = [
        ...extensions.map((it) => ['extensionDevelopmentPath', remote(it)]),
        ['extensionTestsPath', remote(suite)],
    ];
    const opened = spec.workspace === undefined ? { folder: spec.folder } : { workspace: spec.workspace };
    const query = new URLSearchParams({ ...opened, payload: JSON.stringify(payload) });
    page.current = await browser.newPage();
    page.complaints = [];
    page.current.on('console', (message) => {
        const isOurs = /Content Security Policy|catalog\.js/u.test(`${message.text()} ${message.location().url}`);
        if (isOurs && ['error', 'warning'].includes(message.type())) {
            page.complaints.push(message.text());
        }
    });
    const code = new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`${spec.name} timed out`)), spec.patience ?? PATIENCE);
        void page.current.exposeFunction('codeAutomationExit', (it) => {
            clearTimeout(late);
            resolve(it);
        });
        void page.current.exposeFunction('codeAutomationLog', (kind, args) => {
            const text = args.map((it) => (typeof it === 'string' ? it : JSON.stringify(it))).join(' ');
            if (process.env.PUPIL_VERBOSE) {
                console.log(`    ${kind}: ${text}`);
            }
        });
    });
    await page.current.goto(`http://127.0.0.1:${port}/?${query}`);
    return await code;
}

/**
 * Waits, in the page, until the editor has time to colour the last edits: on a line that is not coloured yet, it
 * closes no brackets and indents no new line.
 */
const untilIdle = () => new Promise((resolve) => requestIdleCallback(() => resolve()));

/** Serves the suites' requests to the window on a local port. */
async function startDriver(page, images) {
    const answer = {
        say: async ({ text }) => console.log(text),
        type: async ({ keys }) => {
            for (const key of keys) {
                await page.current.evaluate(untilIdle);
                if (LINE_KEYS.includes(key)) {
                    await page.current.waitForTimeout(LINE_DELAY);
                }
                await page.current.keyboard.press(key, { delay: KEY_DELAY });
            }
        },
        keys: async ({ keys }) => await page.current.keyboard.press(keys),
        texts: async ({ selector }) => await page.current.locator(selector).allInnerTexts(),
        click: async ({ selector, text }) =>
            await page.current.locator(selector, { hasText: text }).first().click({ timeout: 5000 }),
        picture: async ({ name, clip }) =>
            await page.current.screenshot({ path: path.join(images, `${name}.png`), clip }),
        hover: async ({ x, y }) => await page.current.mouse.move(x, y),
        graph: async () => (await graphFrame(page.current))?.evaluate(describeGraph),
        clickNode: async ({ reference }) => {
            const frame = await graphFrame(page.current);
            const at = await frame.evaluate(positionOf, reference);
            await clickInGraph(page.current, frame, at);
        },
        clickNowhere: async () => await clickInGraph(page.current, await graphFrame(page.current), { x: 3, y: 3 }),
        clickButton: async ({ id, key }) => {
            const button = (await graphFrame(page.current)).locator(`#${id}`);
            // The frame covers the editor in which Playwright believes to click.
            await (key === undefined ? button.click({ force: true }) : button.press(key));
        },
        search: async ({ text }) => await (await graphFrame(page.current)).locator('#search').fill(text),
        complaints: async () => page.complaints,
    };
    const server = http.createServer((request, response) => {
        let body = '';
        request.on('data', (text) => (body += text));
        request.on('end', async () => {
            const { what, ...rest } = JSON.parse(body);
            try {
                const result = await answer[what](rest);
                response.end(JSON.stringify({ result: Buffer.isBuffer(result) ? null : (result ?? null) }));
            } catch (error) {
                response.end(JSON.stringify({ error: String(error) }));
            }
        });
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    return server;
}

/** Returns the frame with the graph of the catalog preview. */
async function graphFrame(page) {
    for (const frame of page.frames()) {
        const isGraph = () => document.getElementById('graph')?._cyreg?.cy !== undefined;
        if (await frame.evaluate(isGraph).catch(() => false)) {
            return frame;
        }
    }
    return undefined;
}

/** Describes the page of the catalog preview. Runs in the page. */
function describeGraph() {
    const { cy } = document.getElementById('graph')._cyreg;
    const text = (id) => {
        const element = document.getElementById(id);
        return element.hidden ? '' : element.innerText;
    };
    const ids = (selector) => cy.nodes(selector).map((it) => it.id());
    return {
        title: text('title'),
        summary: text('summary'),
        notice: text('notice'),
        details: text('details'),
        choice: text('choose'),
        found: text('found').split('\n'),
        nodes: ids('*'),
        selected: ids(':selected'),
        cycle: ids('.cycle'),
        parents: Object.fromEntries(cy.nodes().map((it) => [it.id(), it.parent().id() ?? null])),
        edges: cy.edges().map((it) => [it.source().id(), it.target().id()]),
        color: cy.nodes().first().style('color'),
        zoom: cy.zoom(),
        pan: cy.pan(),
    };
}

/** Returns the position of a node in the graph's element. Runs in the page. */
function positionOf(reference) {
    const { cy } = document.getElementById('graph')._cyreg;
    return cy.getElementById(reference).renderedPosition();
}

async function clickInGraph(page, frame, { x, y }) {
    const box = await frame.locator('#graph').boundingBox();
    await page.mouse.click(box.x + x, box.y + y);
}

async function freePort() {
    const server = net.createServer();
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address();
    await new Promise((resolve) => server.close(resolve));
    return port;
}

async function reachable(port, server) {
    for (let tries = 0; tries < 200; tries++) {
        if (server.exitCode !== null) {
            throw new Error(`VS Code failed to start: ${server.output}`);
        }
        try {
            await fetch(`http://127.0.0.1:${port}/version`);
            return;
        } catch {
            await new Promise((resolve) => setTimeout(resolve, 100));
        }
    }
    throw new Error(`VS Code does not respond: ${server.output}`);
}

async function ended(server) {
    const gone = new Promise((resolve) => server.once('exit', resolve));
    if (server.exitCode === null) {
        server.kill('SIGTERM');
        const late = setTimeout(() => server.kill('SIGKILL'), 5000);
        await gone;
        clearTimeout(late);
    }
}
