// Helpers of the suites, which run in the extension host.

const assert = require('node:assert/strict');
const vscode = require('vscode');

const EXTENSION = 'pupil.pupil';

/** Sends a request to the window. */
async function drive(what, rest = {}) {
    const answer = await fetch(`http://127.0.0.1:${process.env.PUPIL_DRIVER}/`, {
        method: 'POST',
        body: JSON.stringify({ what, ...rest }),
    });
    const { result, error } = await answer.json();
    if (error !== undefined) {
        throw new Error(error);
    }
    return result;
}

const say = (text) => drive('say', { text: `  ${text}` });

/** Polls until a result is available. */
async function until(what, ask, patience = 15_000) {
    const start = Date.now();
    let last;
    while (Date.now() - start < patience) {
        last = await ask();
        if (last !== undefined && last !== false) {
            return last;
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`timed out waiting for ${what}`);
}

/** The time of `slowness` on the machine for which the limits are set, without other load, in milliseconds. */
const REFERENCE = 120;

/** Returns how many times slower than without other load the machine is at the moment; at least 1. */
function slowness() {
    const start = performance.now();
    let value = 1;
    for (let i = 0; i < 1e8; i += 1) {
        value = (Math.imul(value, 1_664_525) + 1_013_904_223) | 0;
    }
    assert.equal(typeof value, 'number');
    return Math.max(1, (performance.now() - start) / REFERENCE);
}

/** Runs tests one after another. Throws at the end if one failed. */
async function runAll(tests) {
    let failed = 0;
    for (const [name, test] of Object.entries(tests)) {
        const start = Date.now();
        try {
            await test();
            await say(`ok ${name} (${Date.now() - start} ms)`);
        } catch (error) {
            failed += 1;
            await say(`FAILED ${name}: ${error.stack}`);
        }
    }
    assert.equal(failed, 0);
}

const folder = () => vscode.workspace.workspaceFolders[0].uri;
const file = (name) => vscode.Uri.joinPath(folder(), name);

async function open(name) {
    const document = await vscode.workspace.openTextDocument(file(name));
    const editor = await vscode.window.showTextDocument(document, { preview: false });
    return { document, editor };
}

/** Returns the position of the first occurrence of a text. */
function placeOf(document, piece) {
    const at = document.getText().indexOf(piece);
    assert.notEqual(at, -1, `${piece} not found`);
    return document.positionAt(at);
}

const api = () => vscode.extensions.getExtension(EXTENSION)?.exports;

const status = (kind) =>
    until(`the status ${kind}`, () => {
        const found = api()?.status;
        return found?.kind === kind && found;
    });

/** Returns the code of a diagnostic. */
const codeOf = (it) => (typeof it.code === 'object' ? it.code.value : it.code);

async function hoverText(document, place) {
    const hovers = await vscode.commands.executeCommand('vscode.executeHoverProvider', document.uri, place);
    return hovers.flatMap((it) => it.contents.map((part) => part.value ?? part)).join('\n');
}

/** The progress of the server and of VS Code, which is listed among the messages while it lasts. */
const PROGRESS = /^(Reading Puppet code|Activating Extensions)/;

/** Returns the texts of all messages. In tests, VS Code does not show them by itself. */
async function messages() {
    await vscode.commands.executeCommand('notifications.showList');
    const all = await drive('texts', { selector: '.notifications-center .notification-list-item-message' });
    return all.filter((it) => !PROGRESS.test(it));
}

async function message(part) {
    const found = await until(`the message “${part}”`, async () => {
        return (await messages()).find((it) => it.includes(part));
    });
    return found;
}

/** Clears all messages. */
async function quiet() {
    await until('no message', async () => {
        await vscode.commands.executeCommand('notifications.clearAll');
        return (await messages()).length === 0;
    });
    await vscode.commands.executeCommand('notifications.hideList');
}

async function set(name, value) {
    await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
}

module.exports = {
    api, assert, codeOf, drive, file, folder, hoverText, message, messages, open, placeOf, quiet, runAll, say, set, slowness,
    status, until, vscode, EXTENSION,
};
