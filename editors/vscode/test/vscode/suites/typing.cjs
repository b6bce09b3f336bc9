// Types a class with real keys, as a user does: the result is exactly the formatted class.

const fs = require('node:fs');

const { assert, drive, file, open, runAll, say, status, until, vscode } = require('./lib.cjs');

const run = (command, ...args) => vscode.commands.executeCommand(command, ...args);

/** The number of keys of one request, which has a time limit. */
const CHUNK = 50;

/** A tag whose text starts on the next line, for which the editor inserts the comment sign. */
const TAG = /^# @param \S+$/;

/** The keys that a user presses for a class: brackets that the editor closes are stepped over. */
function keysOf(text) {
    const keys = [];
    const lines = text.trimEnd().split('\n');
    for (const [index, line] of lines.entries()) {
        const isContinued = index > 0 && TAG.test(lines[index - 1]);
        const typed = isContinued ? line.replace(/^#\s*/, '') : line.trim();
        const closes = /^[}\])]/.test(typed);
        if (closes) {
            // The bracket is there already, below the cursor.
            keys.push('ArrowDown', 'End');
            for (const key of typed.replace(/^[}\])]+/, '')) {
                keys.push(key);
            }
        } else {
            if (index > 0) {
                keys.push('Enter');
            }
            keys.push(...typed);
        }
    }
    return keys;
}

const suggestions = () => drive('texts', { selector: '.suggest-widget.visible .monaco-list-row .label-name' });

async function emptyManifest(name) {
    await vscode.workspace.fs.writeFile(file(name), Buffer.from(''));
    const { document } = await open(name);
    await run('workbench.action.focusActiveEditorGroup');
    return document;
}

async function type(keys) {
    for (let at = 0; at < keys.length; at += CHUNK) {
        await drive('type', { keys: keys.slice(at, at + CHUNK) });
    }
    // The last edits of the editor may still be on their way.
    await new Promise((resolve) => setTimeout(resolve, 500));
}

/** Compares two texts, and shows the first line that differs. */
function assertSameLines(found, expected) {
    const [a, b] = [found, expected].map((it) => it.trimEnd().split('\n'));
    const at = b.findIndex((line, index) => line !== a[index]);
    const around = at < 0 ? '' : a.slice(Math.max(0, at - 3), at + 4).join('\n');
    assert.ok(at < 0 && a.length === b.length, `line ${at + 1}, expected “${b[at]}”, found:\n${around}`);
}

const tests = {
    async 'the extension becomes ready'() {
        await open('manifests/init.pp');
        await status('ready');
    },

    async 'a class typed with keys is laid out as the formatter would'() {
        const expected = fs.readFileSync(process.env.PUPIL_TYPED, 'utf8');
        const document = await emptyManifest('manifests/typed.pp');
        const keys = keysOf(expected);
        await type(keys);
        assertSameLines(document.getText(), expected);
        await say(`${keys.length} keys`);
        await run('workbench.action.files.save');
    },

    async 'suggestions open while typing bare words, attributes and values'() {
        for (const [name, before, typed, wanted] of [
            ['function', '', ['i', 'n', 'c'], 'include'],
            ['attribute', "file { '/x':\n  ", ['o', 'w'], 'owner'],
            ['value', "file { '/x':\n  ensure =>", [' '], 'directory'],
            ['bare value', "file { '/x':\n  ensure => ", ['d', 'i'], 'directory'],
            ['variable', "$package_name = 'x'\nnotice(", ['$', 'p'], 'package_name'],
            ['comparison', "class shop::a (Enum['on', 'off'] $state) {\n  if $state ==", [' '], 'on'],
            ['fact', "if $facts['os']['family'] !=", [' '], 'RedHat'],
            ['list', "class shop::b (Enum['on', 'off'] $state) {\n  if $state in ", ['['], 'on'],
        ]) {
            const document = await emptyManifest(`manifests/${name.replace(' ', '_')}.pp`);
            const edit = new vscode.WorkspaceEdit();
            edit.insert(document.uri, new vscode.Position(0, 0), before);
            await vscode.workspace.applyEdit(edit);
            const end = document.positionAt(document.getText().length);
            vscode.window.activeTextEditor.selection = new vscode.Selection(end, end);
            await run('workbench.action.focusActiveEditorGroup');
            await type(typed);
            const shown = await until(`suggestions of a ${name}`, async () => {
                const found = await suggestions();
                return found.length > 0 && found;
            });
            assert.ok(shown.slice(0, 5).some((it) => it.includes(wanted)), `${name}: ${shown.slice(0, 8)}`);
            await drive('keys', { keys: 'Escape' });
            await run('workbench.action.files.revert');
            await run('workbench.action.closeActiveEditor');
            await vscode.workspace.fs.delete(document.uri);
        }
    },

    async 'a colon and Enter accept no candidate'() {
        for (const [name, before] of [
            ['title', 'service {\n'],
            ['option', 'case $facts {\n'],
        ]) {
            const document = await emptyManifest(`manifests/${name}.pp`);
            const edit = new vscode.WorkspaceEdit();
            edit.insert(document.uri, new vscode.Position(0, 0), before);
            await vscode.workspace.applyEdit(edit);
            const end = document.positionAt(document.getText().length);
            vscode.window.activeTextEditor.selection = new vscode.Selection(end, end);
            await run('workbench.action.focusActiveEditorGroup');
            await type([...'default:', 'Enter']);
            // Enter may indent the line that it leaves.
            assert.equal(document.getText().trimEnd().replace(/\n +/g, '\n'), `${before}default:`);
            await run('workbench.action.files.revert');
            await run('workbench.action.closeActiveEditor');
            await vscode.workspace.fs.delete(document.uri);
        }
    },

    async 'no signature help opens in a resource'() {
        const document = await emptyManifest('manifests/signature.pp');
        await type([..."file { '/x': mode => '0644', owner => 'root', "]);
        const shown = await drive('texts', { selector: '.parameter-hints-widget.visible' });
        assert.deepEqual(shown, []);
        await run('workbench.action.files.revert');
        await run('workbench.action.closeActiveEditor');
        await vscode.workspace.fs.delete(document.uri);
    },
};

exports.run = () => runAll(tests);
