// The preview of catalogs: the graph beside the manifest.

const fs = require('node:fs');

const { assert, drive, file, placeOf, runAll, slowness, status, until, vscode } = require('./lib.cjs');

const run = (command, ...args) => vscode.commands.executeCommand(command, ...args);

const INIT = 'modules/web/manifests/init.pp';

const graph = () => drive('graph');

/** Waits until the graph fulfills a condition, and returns it. */
async function graphWith(what, isReached) {
    let last;
    try {
        return await until(what, async () => {
            last = await graph();
            return last !== null && isReached(last) && last;
        });
    } catch (error) {
        throw new Error(`${error.message}; the page is ${JSON.stringify(last)}`, { cause: error });
    }
}

const has = (reference) => (it) => it.nodes.includes(reference);

async function replace(editor, piece, text) {
    const at = placeOf(editor.document, piece);
    const end = editor.document.positionAt(editor.document.offsetAt(at) + piece.length);
    await editor.edit((it) => it.replace(new vscode.Range(at, end), text));
}

/** Opens a file beside the preview, which may have the focus. */
async function open(name) {
    const document = await vscode.workspace.openTextDocument(file(name));
    const editor = await vscode.window.showTextDocument(document, { viewColumn: 1, preview: false });
    return { document, editor };
}

/** Discards the changes of a file. */
async function revert(name) {
    const saved = fs.readFileSync(file(name).fsPath, 'utf8');
    await until('the saved text', async () => {
        const { document } = await open(name);
        await run('workbench.action.files.revert');
        return document.getText() === saved;
    });
}

/** Returns the visible editor of a file. */
const editorOf = (name) =>
    vscode.window.visibleTextEditors.find((it) => it.document.uri.toString() === file(name).toString());

/** Waits until the cursor in a file is at a text. */
async function cursorAt(name, piece) {
    let last = 'no editor';
    await until(`the cursor at ${piece}`, () => {
        const editor = editorOf(name);
        if (editor === undefined) {
            return false;
        }
        const { line } = editor.selection.active;
        last = editor.document.lineAt(line).text;
        return last.includes(piece);
    }).catch((error) => {
        throw new Error(`${error.message}; it is at “${last}”`);
    });
}

const tests = {
    async 'the command shows the graph'() {
        const { document, editor } = await open(INIT);
        await status('ready');
        await run('workbench.action.closeSidebar');
        const at = placeOf(document, 'package {');
        editor.selection = new vscode.Selection(at, at);
        await run('pupil.showCatalog');
        const shown = await graphWith('the graph', has('Package[nginx]'));
        assert.equal(shown.title, 'class web with facts linux');
        assert.match(shown.summary, /^\d+ resources, 2 classes/);
        assert.ok(shown.nodes.includes('File[/srv/shop]'), 'small containers are open');
        assert.deepEqual(shown.parents['File[/srv/shop]'], 'Web::Site[shop]');
        assert.ok(shown.edges.some(([from, to]) => from === 'File[/etc/nginx/nginx.conf]' && to === 'Service[nginx]'));
    },

    async 'a click leads to the code'() {
        await drive('clickNode', { reference: 'Service[nginx]' });
        await cursorAt(INIT, "service { 'nginx':");
        const shown = await graphWith('the selection', (it) => it.selected.includes('Service[nginx]'));
        assert.match(shown.details, /ensure\s*'running'/);
        await drive('picture', { name: 'catalog' });
    },

    async 'a click leads to other files, and the graph stays'() {
        await drive('clickNode', { reference: 'Exec[open port]' });
        await cursorAt('modules/web/manifests/firewall.pp', "exec { 'open port':");
        await new Promise((resolve) => setTimeout(resolve, 500));
        assert.equal((await graph()).title, 'class web with facts linux');
    },

    async 'the graph follows typing and keeps the view'() {
        await drive('clickButton', { id: 'larger' });
        const { editor } = await open(INIT);
        const before = await graphWith('the selection', (it) => it.selected.includes('Exec[open port]'));
        const at = placeOf(editor.document, '  contain web::firewall');
        editor.selection = new vscode.Selection(at, at);
        await run('workbench.action.focusActiveEditorGroup');
        await drive('type', { keys: [..."cron { 'nightly':", ..." command => '/bin/true', minute => 5 }"].map((it) => (it === ' ' ? 'Space' : it)) });
        const after = await graphWith('the new resource', has('Cron[nightly]'));
        assert.deepEqual([after.zoom, after.pan], [before.zoom, before.pan]);
        assert.deepEqual(after.selected, ['Exec[open port]']);
        await revert(INIT);
        await graphWith('the graph without it', (it) => !has('Cron[nightly]')(it));
    },

    async 'broken code keeps the last graph'() {
        const { editor } = await open(INIT);
        await replace(editor, 'ensure => running', 'ensure =>');
        const shown = await graphWith('the notice', (it) => it.notice !== '');
        assert.match(shown.notice, /^Puppet rejects class web/);
        assert.ok(shown.nodes.includes('Package[nginx]'));
        await drive('picture', { name: 'catalog-broken' });
        await revert(INIT);
        await graphWith('no notice', (it) => it.notice === '');
    },

    async 'cycles are visible'() {
        const { editor } = await open(INIT);
        await replace(editor, 'enable => true', "enable => true,\n    before => Package['nginx']");
        const shown = await graphWith('the cycle', (it) => it.cycle.includes('Package[nginx]'));
        assert.ok(shown.cycle.includes('Service[nginx]'));
        await drive('clickButton', { id: 'fit' });
        await drive('clickNowhere');
        await graphWith('the list of cycles', (it) => it.details.includes('Dependency cycles'));
        await drive('picture', { name: 'catalog-cycle' });
        await revert(INIT);
        await graphWith('no cycle', (it) => it.cycle.length === 0);
    },

    async 'the search finds resources in collapsed containers'() {
        await drive('clickButton', { id: 'collapse' });
        await graphWith('one container', (it) => !it.nodes.includes('File[/srv/blog]'));
        await drive('search', { text: 'srv/blog' });
        await graphWith('the result', (it) => it.found.includes('File[/srv/blog]'));
        await drive('picture', { name: 'catalog-search' });
        await drive('clickButton', { id: 'search', key: 'Enter' });
        await graphWith('the resource', (it) => it.selected.includes('File[/srv/blog]'));
        await cursorAt('modules/web/manifests/site.pp', 'file { "/srv/${title}":');
    },

    async 'the chosen facts and node'() {
        await open(INIT);
        // The only fact set of the workspace.
        await graphWith('the default facts', (it) => it.choice === 'any node, linux (default)');
        await graphWith('the resource that depends on facts', has('Notify[linux]'));
        await drive('picture', { name: 'catalog-default-facts' });
        const pick = async (label) => {
            const selector = '.quick-input-widget .monaco-list-row .label-name';
            await until(label, async () => (await drive('texts', { selector })).some((it) => it.includes(label)));
            await drive('click', { selector, text: label });
        };
        void run('pupil.compileFor');
        await pick('Unknown facts');
        await pick('Any node');
        await graphWith('unknown facts', (it) => it.choice === 'any node, unknown facts');
        await graphWith('what is unknown', (it) => /code may add resources/.test(it.summary + it.details));
        void run('pupil.compileFor');
        await pick('linux');
        await pick('web1.example.com');
        const shown = await graphWith('the facts', (it) => it.title.endsWith('with facts linux'));
        assert.equal(shown.title, 'class web on web1.example.com with facts linux');
        assert.equal(shown.choice, 'web1.example.com, linux');
        await graphWith('the resource that depends on facts', has('Notify[linux]'));
    },

    async 'the preview follows the cursor to a node definition'() {
        const { document, editor } = await open('manifests/site.pp');
        const at = placeOf(document, 'include web');
        editor.selection = new vscode.Selection(at, at);
        await graphWith('the node', (it) => it.title.startsWith('web1.example.com'));
        await drive('picture', { name: 'catalog-node' });
    },

    async 'the colors of another theme'() {
        const theme = async (name, kind) => {
            await vscode.workspace.getConfiguration('workbench').update('colorTheme', name, true);
            await until(name, () => vscode.window.activeColorTheme.kind === kind);
        };
        const before = await graph();
        await theme('Default Dark Modern', vscode.ColorThemeKind.Dark);
        await graphWith('other colors', (it) => it.color !== before.color);
        await drive('picture', { name: 'catalog-dark' });
        await theme('Default Light Modern', vscode.ColorThemeKind.Light);
    },

    async 'large catalogs are collapsed'() {
        const { editor } = await open('modules/web/manifests/firewall.pp');
        const many = 'Integer[1, 100].each |$x| { web::site { "s${x}": } }\n  Integer[1, 1800].each |$x| { notify { "n${x}": } }\n  @user {';
        await replace(editor, '@user {', many);
        editor.selection = new vscode.Selection(1, 0, 1, 0);
        const shown = await graphWith('the large catalog', (it) => /\d{4} resources/.test(it.summary));
        assert.ok(shown.nodes.length <= 60, `${shown.nodes.length} nodes`);
        await drive('picture', { name: 'catalog-collapsed' });
        const before = slowness();
        const start = Date.now();
        await drive('clickButton', { id: 'expand' });
        const all = await graphWith('all resources', (it) => it.nodes.length > 2000);
        const time = Date.now() - start;
        const slow = Math.max(before, slowness());
        const shownTime = `${time} ms for ${all.nodes.length} resources on a machine slowed down ${slow.toFixed(1)} times`;
        await drive('say', { text: `  ${shownTime}` });
        assert.ok(time < 5000 * slow, shownTime);
        await drive('picture', { name: 'catalog-large' });
        await revert('modules/web/manifests/firewall.pp');
    },

    async 'the page complains about nothing'() {
        assert.deepEqual(await drive('complaints'), []);
    },
};

exports.run = () => runAll(tests);
