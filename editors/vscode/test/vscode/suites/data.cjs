// The data of Hiera in a control repository, beside the language server for YAML.

const { assert, codeOf, drive, file, hoverText, open, placeOf, runAll, status, until, vscode } = require('./lib.cjs');

const run = (command, ...args) => vscode.commands.executeCommand(command, ...args);

const NODE = 'data/nodes/web1.example.com.yaml';
const COMMON = 'data/common.yaml';

const labelOf = (item) => (typeof item.label === 'string' ? item.label : item.label.label);

async function diagnosticsOf(name, count) {
    return await until(`diagnostics of ${name}`, () => {
        const found = vscode.languages.getDiagnostics(file(name)).filter((it) => it.source === 'pupil');
        return found.length >= count && found;
    });
}

async function definitionOf(document, place) {
    const found = await run('vscode.executeDefinitionProvider', document.uri, place);
    return found.map((it) => `${(it.targetUri ?? it.uri).path.split('/').at(-1)}:${(it.targetRange ?? it.range).start.line + 1}`);
}

const tests = {
    async 'a data file starts the extension'() {
        const { document } = await open(COMMON);
        assert.equal(document.languageId, 'yaml');
        await status('ready');
    },

    async 'the server for YAML runs'() {
        const { document } = await open(COMMON);
        await until('a hover of the server for YAML', async () => {
            return /The classes of all nodes/.test(await hoverText(document, placeOf(document, 'classes')));
        });
    },

    async diagnostics() {
        const { document } = await open(NODE);
        const found = await diagnosticsOf(NODE, 2);
        const shown = found.map((it) => [codeOf(it), document.getText(it.range)]);
        assert.deepEqual(shown.sort(), [
            ['data-mismatch', "'eighty'"],
            ['unknown-data-key', 'web::moode'],
        ]);
        await run('editor.action.marker.next');
        await drive('picture', { name: 'data' });
        await run('closeMarkersNavigation');
    },

    async 'diagnostics follow edits'() {
        const { document, editor } = await open(NODE);
        const value = placeOf(document, "'eighty'");
        await editor.edit((it) => it.replace(new vscode.Range(value, value.translate(0, 8)), '80'));
        await until('fewer diagnostics', () => {
            const found = vscode.languages.getDiagnostics(document.uri).filter((it) => it.source === 'pupil');
            return found.length === 1;
        });
        await run('undo');
        await diagnosticsOf(NODE, 2);
    },

    async 'a fix'() {
        const { document } = await open(NODE);
        const at = placeOf(document, 'web::moode');
        const action = await until('a fix', async () => {
            const range = new vscode.Range(at, at.translate(0, 10));
            const found = await run('vscode.executeCodeActionProvider', document.uri, range, 'quickfix', 10);
            return found.find((it) => it.edit !== undefined && /web::mode/.test(it.title));
        });
        assert.ok(await vscode.workspace.applyEdit(action.edit));
        assert.match(document.getText(), /^web::mode: slow$/m);
        await run('undo');
    },

    async hover() {
        const { document } = await open(COMMON);
        const shown = await hoverText(document, placeOf(document, 'web::port').translate(0, 6));
        assert.match(shown, /Integer\[1, 65535\]/);
        assert.match(shown, /The port that the server listens on/);
    },

    async 'definition both ways'() {
        const { document } = await open(COMMON);
        assert.deepEqual(await definitionOf(document, placeOf(document, 'web::port').translate(0, 6)), ['init.pp:6']);
        const site = await open('manifests/site.pp');
        const found = await definitionOf(site.document, placeOf(site.document, 'web::port').translate(0, 6));
        assert.deepEqual(found.sort(), ['common.yaml:4', 'web1.example.com.yaml:2']);
    },

    async 'completion with keys'() {
        const { document, editor } = await open(COMMON);
        const end = document.positionAt(document.getText().length);
        await editor.edit((it) => it.replace(new vscode.Range(placeOf(document, 'web::mode'), end), ''));
        const start = document.positionAt(document.getText().length);
        editor.selection = new vscode.Selection(start, start);
        await run('workbench.action.focusActiveEditorGroup');
        await drive('type', { keys: [...'web::mo'] });
        const shown = () => drive('texts', { selector: '.suggest-widget.visible .monaco-list-row .label-name' });
        await until('the suggestion', async () => (await shown()).some((it) => it.includes('web::mode')));
        await drive('picture', { name: 'data-completion' });
        await drive('type', { keys: ['Tab'] });
        await until('the key', () => /^web::mode: ?/m.test(document.getText()));
        await run('editor.action.triggerSuggest');
        const values = async () => {
            const at = editor.selection.active;
            const found = await run('vscode.executeCompletionItemProvider', document.uri, at);
            const labels = found.items.map(labelOf);
            return labels.some((it) => it.includes('fast')) && labels;
        };
        assert.ok((await until('the values', values)).some((it) => it.includes('slow')));
        await run('workbench.action.files.revert');
    },

    async 'only the server for YAML formats'() {
        const { document } = await open(COMMON);
        await run('workbench.action.focusActiveEditorGroup');
        // With two formatters, the editor would ask which one to use.
        await run('editor.action.formatDocument');
        await until('the layout of the server for YAML', () => /^web::port: 8080$/m.test(document.getText()));
        await run('workbench.action.files.revert');
    },

    async 'only the server for YAML provides the outline'() {
        const { document } = await open(COMMON);
        const found = await run('vscode.executeDocumentSymbolProvider', document.uri);
        const names = found.map((it) => it.name);
        assert.equal(names.filter((it) => it === 'classes').length, 1, names.join(' '));
    },

    async 'other YAML stays quiet'() {
        await vscode.workspace.fs.writeFile(file('.gitlab-ci.yml'), Buffer.from("web::port: 'x'\nweb::port: 'y'\n"));
        const { document } = await open('.gitlab-ci.yml');
        await diagnosticsOf(NODE, 2);
        const found = vscode.languages.getDiagnostics(document.uri).filter((it) => it.source === 'pupil');
        assert.deepEqual(found, []);
        assert.equal((await hoverText(document, placeOf(document, 'web::port'))).includes('Integer'), false);
    },

    async 'files changed on the disk are analyzed'() {
        const name = 'data/nodes/web2.example.com.yaml';
        await vscode.workspace.fs.writeFile(file(name), Buffer.from("---\nweb::port: 'eighty'\n"));
        await diagnosticsOf(name, 1);
        await vscode.workspace.fs.writeFile(file(name), Buffer.from('---\nweb::port: 80\n'));
        await until('no diagnostics', () => vscode.languages.getDiagnostics(file(name)).length === 0);
        await vscode.workspace.fs.writeFile(file(name), Buffer.from('---\nweb::port: 0\n'));
        await diagnosticsOf(name, 1);
    },
};

exports.run = () => runAll(tests);
