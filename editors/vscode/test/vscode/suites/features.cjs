// All editor features, in a module, with the bundled server.

const { api, assert, codeOf, drive, file, hoverText, message, messages, open, placeOf, quiet, runAll, set, status, until, vscode } =
    require('./lib.cjs');

const run = (command, ...args) => vscode.commands.executeCommand(command, ...args);

const tests = {
    async 'the extension becomes ready'() {
        await open('manifests/init.pp');
        const { notes } = await status('ready');
        assert.deepEqual(notes, []);
    },

    async 'languages by file name'() {
        const languages = ['manifests/init.pp', 'templates/shop.conf.epp', 'Puppetfile'].map(async (it) => {
            return (await vscode.workspace.openTextDocument(file(it))).languageId;
        });
        assert.deepEqual(await Promise.all(languages), ['puppet', 'epp', 'puppetfile']);
    },

    async diagnostics() {
        const { document } = await open('manifests/wrong.pp');
        const found = await until('diagnostics', () => {
            const all = vscode.languages.getDiagnostics(document.uri);
            return all.length > 0 && all;
        });
        const shown = found.map((it) => [it.source, codeOf(it), document.getText(it.range)]);
        assert.deepEqual(shown.sort(), [
            ['pupil', 'type-mismatch', "'eighty'"],
            ['pupil', 'unknown-variable', '$greetin'],
            ['pupil', 'unused-variable', '$greeting'],
        ]);
        assert.match(found.map((it) => it.message).join('\n'), /expects `Integer\[1024, 65535\]`/);
    },

    async 'diagnostics of closed files'() {
        await vscode.workspace.fs.writeFile(file('manifests/late.pp'), Buffer.from('class shop::late { $a = ] }\n'));
        await until('diagnostics of another file', () => {
            return vscode.languages.getDiagnostics(file('manifests/late.pp')).length > 0;
        });
        await vscode.workspace.fs.writeFile(file('manifests/late.pp'), Buffer.from('class shop::late { }\n'));
        await until('no diagnostics of a fixed file', () => {
            return vscode.languages.getDiagnostics(file('manifests/late.pp')).length === 0;
        });
        await vscode.workspace.fs.delete(file('manifests/late.pp'));
    },

    async 'hover with inferred types'() {
        const { document } = await open('manifests/init.pp');
        const at = (piece) => hoverText(document, placeOf(document, piece).translate(0, 1));
        assert.ok((await at('$config')).includes(`Enum['/etc/shop/live.conf', '/etc/shop/test.conf'] $config`));
        assert.match(await at('$limits'), /'files' => 4096/);
        assert.match(await at('$workers'), /Variant\[Integer\[16, 16\], Integer\[2, 2\]\]/);
        assert.match(await at('shop::site'), /A web site of the shop/);
    },

    async completion() {
        const { document, editor } = await open('manifests/site.pp');
        const end = placeOf(document, '  notice(');
        await editor.edit((it) => it.insert(end, '  $again = shop::dou\n'));
        const at = end.translate(0, '  $again = shop::dou'.length);
        const found = await run('vscode.executeCompletionItemProvider', document.uri, at);
        const labels = found.items.map((it) => (typeof it.label === 'string' ? it.label : it.label.label));
        assert.ok(labels.some((it) => it.includes('double')), labels.join(' '));
        await run('undo');
    },

    async 'signature help'() {
        const { document } = await open('manifests/site.pp');
        const at = placeOf(document, 'shop::double($port').translate(0, 'shop::double('.length);
        const help = await run('vscode.executeSignatureHelpProvider', document.uri, at, '(');
        assert.match(help.signatures[0].label, /Integer \$number/);
    },

    async definition() {
        const { document } = await open('manifests/site.pp');
        const found = await run('vscode.executeDefinitionProvider', document.uri, placeOf(document, 'shop::double').translate(0, 7));
        const target = found[0].targetUri ?? found[0].uri;
        assert.ok(target.path.endsWith('/functions/double.pp'), target.path);
    },

    async references() {
        const { document } = await open('manifests/site.pp');
        const found = await run('vscode.executeReferenceProvider', document.uri, placeOf(document, 'shop::site').translate(0, 7));
        const files = [...new Set(found.map((it) => it.uri.path.split('/').at(-1)))].sort();
        assert.deepEqual(files, ['init.pp', 'site.pp', 'wrong.pp']);
    },

    async rename() {
        const { document } = await open('manifests/site.pp');
        const at = placeOf(document, '$total').translate(0, 1);
        const edit = await run('vscode.executeDocumentRenameProvider', document.uri, at, 'twice');
        assert.ok(await vscode.workspace.applyEdit(edit));
        assert.match(document.getText(), /\$twice = shop::double/);
        await run('undo');
    },

    async 'code action'() {
        const { document } = await open('manifests/wrong.pp');
        const at = placeOf(document, '$greetin)');
        const range = new vscode.Range(at, at.translate(0, 8));
        const action = await until('a fix', async () => {
            const found = await run('vscode.executeCodeActionProvider', document.uri, range, 'quickfix', 10);
            return found.find((it) => it.edit !== undefined && /greeting/.test(it.title));
        });
        assert.ok(await vscode.workspace.applyEdit(action.edit));
        assert.match(document.getText(), /notice\(\$greeting\)/);
        await run('undo');
    },

    async 'inlay hints'() {
        const { document } = await open('manifests/init.pp');
        const all = new vscode.Range(0, 0, document.lineCount, 0);
        const hints = await run('vscode.executeInlayHintProvider', document.uri, all);
        const labels = hints.map((it) => (typeof it.label === 'string' ? it.label : it.label.map((part) => part.value).join('')));
        assert.ok(labels.includes("= {'files' => 4096, 'memory' => '2G'}"), labels.join(' | '));
    },

    async 'semantic tokens'() {
        const { document } = await open('manifests/init.pp');
        const legend = await run('vscode.provideDocumentSemanticTokensLegend', document.uri);
        const tokens = await run('vscode.provideDocumentSemanticTokens', document.uri);
        assert.ok(legend.tokenTypes.includes('escapeSequence'));
        assert.ok(tokens.data.length > 5 * 50, `${tokens.data.length / 5} tokens`);
    },

    async 'outline, folding, code lenses and workspace symbols'() {
        const { document } = await open('manifests/site.pp');
        const outline = await run('vscode.executeDocumentSymbolProvider', document.uri);
        assert.equal(outline[0].name, 'shop::site');
        assert.ok((await run('vscode.executeFoldingRangeProvider', document.uri)).length > 0);
        const lenses = await run('vscode.executeCodeLensProvider', document.uri, 10);
        assert.ok(lenses.some((it) => it.command?.command === 'pupil.showReferences'));
        const { command } = lenses.find((it) => it.command?.command === 'pupil.showReferences');
        await run(command.command, ...command.arguments);
        const symbols = await run('vscode.executeWorkspaceSymbolProvider', 'shop');
        assert.ok(symbols.length >= 4, `${symbols.length} symbols`);
        await run('closeReferenceSearch');
    },

    async 'settings take effect immediately'() {
        const { document } = await open('manifests/init.pp');
        const all = new vscode.Range(0, 0, document.lineCount, 0);
        const count = async () => (await run('vscode.executeInlayHintProvider', document.uri, all)).length;
        const before = await count();
        await set('pupil.inlayHints.types', false);
        await until('fewer hints', async () => (await count()) < before);
        await set('pupil.inlayHints.types', undefined);
        await until('the hints again', async () => (await count()) === before);
    },

    async 'an invalid setting is reported once'() {
        await set('pupil.puppetVersion', 9);
        const found = await message('pupil.puppetVersion');
        assert.match(found, /expected 7 or 8, found `9`/);
        await set('pupil.puppetVersion', undefined);
        await settled();
        assert.deepEqual(await messages(), [found]);
        await quiet();
    },

    async 'the type of a selection'() {
        const { document, editor } = await open('manifests/init.pp');
        const start = placeOf(document, '1024 * 4');
        editor.selection = new vscode.Selection(start, start.translate(0, 8));
        await run('pupil.showType');
        assert.match(await message('4096'), /Integer/);
        await quiet();
    },

    async 'the value of a selection'() {
        const { document, editor } = await open('manifests/init.pp');
        const start = placeOf(document, '1024 * 4');
        editor.selection = new vscode.Selection(start, start.translate(0, 8));
        await run('pupil.evaluate');
        assert.match(await message('4096'), /4096: Integer\[4096, 4096\]/);
        await quiet();
    },

    async 'the value of code that calls a function of the workspace'() {
        const content = 'shop::double(21)';
        await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'puppet', content }));
        await run('pupil.evaluate');
        assert.match(await message('42'), /42: Integer/);
        await quiet();
        await run('workbench.action.revertAndCloseActiveEditor');
    },

    async 'the syntax tree and the workspace contents'() {
        const text = async (command, part) => {
            await run(command);
            const found = await until(`the document of ${command}`, () => {
                return vscode.workspace.textDocuments.find((it) => it.uri.scheme === 'pupil' && it.uri.path.includes(part));
            });
            return found.getText();
        };
        await open('manifests/init.pp');
        assert.match(await text('pupil.showSyntaxTree', 'syntax tree'), /CLASS_DEFINITION@/);
        assert.match(await text('pupil.showWorkspace', 'Workspace'), /shop 1\.0\.0: .* \(the module itself\)/);
        await run('workbench.action.closeEditorsInOtherGroups');
        await run('workbench.action.closeAllEditors');
    },

    async 'the page of the rule at the cursor'() {
        const { document, editor } = await open('manifests/wrong.pp');
        await until('diagnostics', () => vscode.languages.getDiagnostics(document.uri).length > 0);
        const at = placeOf(document, '$greetin)').translate(0, 2);
        editor.selection = new vscode.Selection(at, at);
        await run('pupil.explain');
        const page = await until('the page', () => {
            return vscode.workspace.textDocuments.find((it) => it.uri.scheme === 'pupil' && it.uri.path.includes('unknown-variable'));
        });
        assert.match(page.getText(), /Reports variables/);
        await run('workbench.action.closeAllEditors');
    },

    async 'check of the workspace'() {
        await open('manifests/init.pp');
        await run('pupil.check');
        assert.match(await message('pupil check:'), /2 errors in \d+ files/);
        await quiet();
        await run('workbench.action.closePanel');
    },

    async 'edits are analyzed'() {
        const { document, editor } = await open('manifests/init.pp');
        await editor.edit((it) => it.insert(placeOf(document, '  file {'), "  $typed = 'x' + 1\n"));
        await until('a diagnostic of the edit', () => {
            return vscode.languages.getDiagnostics(document.uri).length > 0;
        });
        await run('undo');
        await until('no diagnostics', () => vscode.languages.getDiagnostics(document.uri).length === 0);
    },

    async 'language and word pattern'() {
        const { document } = await open('manifests/init.pp');
        assert.equal(document.languageId, 'puppet');
        // The word pattern matches a whole qualified name.
        const at = placeOf(document, 'shop::site').translate(0, 2);
        assert.equal(document.getText(document.getWordRangeAtPosition(at)), 'shop::site');
    },

    async 'indentation and snippets'() {
        const document = await vscode.workspace.openTextDocument({ language: 'puppet', content: 'class a {' });
        const editor = await vscode.window.showTextDocument(document);
        editor.selection = new vscode.Selection(0, 9, 0, 9);
        await run('type', { text: '\n' });
        assert.equal(document.getText(), 'class a {\n  ');
        await run('editor.action.insertSnippet', { langId: 'puppet', name: 'If, else' });
        assert.match(document.getText(), /class a \{\n {2}if condition \{\n/);
        await run('workbench.action.revertAndCloseActiveEditor');
    },

    async 'the server restarts after a crash'() {
        const { document } = await open('manifests/init.pp');
        const before = api().client;
        const pid = before._serverProcess.pid;
        process.kill(pid, 'SIGKILL');
        await until('another process', () => {
            const now = api().client?._serverProcess?.pid;
            return now !== undefined && now !== pid;
        });
        await status('ready');
        await until('a hover after the crash', async () => /4096/.test(await hoverText(document, placeOf(document, '$limits'))));
    },

    async 'restart command'() {
        const pid = api().client._serverProcess.pid;
        await run('pupil.restart');
        await status('ready');
        assert.notEqual(api().client._serverProcess.pid, pid);
    },

    async 'too many crashes are reported, and the server can be restarted'() {
        await run('pupil.restart');
        for (let crash = 1; crash <= 5; crash++) {
            await status('ready');
            const pid = api().client._serverProcess.pid;
            process.kill(pid, 'SIGKILL');
            await until(`the end of ${pid}`, () => api().client?._serverProcess?.pid !== pid || api().status.kind === 'failed');
        }
        assert.match((await status('failed')).why, /stopped 5 times/);
        assert.match(await message('stopped 5 times'), /will not be restarted/);
        await drive('click', { selector: '.notifications-center .monaco-button', text: 'Try Again' });
        await status('ready');
        await quiet();
    },

    async pictures() {
        await run('workbench.action.closeAllEditors');
        await run('workbench.action.closeSidebar');
        await run('workbench.action.closePanel');
        const { document, editor } = await open('manifests/init.pp');
        const at = placeOf(document, '$workers').translate(0, 3);
        editor.selection = new vscode.Selection(at, at);
        await until('hints in the text', async () => {
            const shown = await drive('texts', { selector: '.view-lines' });
            return shown.join('').replaceAll('\u00a0', ' ').includes(': Integer');
        });
        await settled();
        await drive('picture', { name: 'hints', clip: part(640) });
        // A type of strings: the inferred type, and how to declare it.
        const it = placeOf(document, '$it|').translate(0, 1);
        editor.selection = new vscode.Selection(it, it);
        await run('editor.action.showHover');
        await until('a hover', async () => (await drive('texts', { selector: '.monaco-hover' })).join('').includes("Enum['db', 'web']"));
        await settled();
        await drive('picture', { name: 'hover', clip: part(420) });
        const wrong = await open('manifests/wrong.pp');
        const place = placeOf(wrong.document, "'eighty'").translate(0, 3);
        wrong.editor.selection = new vscode.Selection(place, place);
        await until('a squiggle', () => vscode.languages.getDiagnostics(wrong.document.uri).length > 0);
        await settled();
        await run('editor.action.showHover');
        await until('its explanation', async () => (await drive('texts', { selector: '.monaco-hover' })).join('').includes('expects'));
        await settled();
        await drive('picture', { name: 'squiggle', clip: part(300) });
    },

    async 'no unexpected messages'() {
        assert.deepEqual(await messages(), []);
    },
};

/** The upper part of the window, without the title bar. */
const part = (bottom) => ({ x: 0, y: 36, width: 1000, height: bottom - 36 });

/** Waits until the window has been drawn. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 700));

exports.run = () => runAll(tests);
