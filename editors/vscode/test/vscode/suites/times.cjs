// The time from opening the first manifest, which activates the extension, to the first hover with a type.

const { api, assert, file, hoverText, placeOf, runAll, say, status, until, vscode, EXTENSION } = require('./lib.cjs');

const LIMIT = Number(process.env.PUPIL_LIMIT);

const tests = {
    async 'activation to first hover'() {
        assert.equal(vscode.extensions.getExtension(EXTENSION).isActive, false);
        const start = Date.now();
        const document = await vscode.workspace.openTextDocument(file(process.env.PUPIL_FILE));
        const kinds = [];
        const { onDidChangeStatus } = await vscode.extensions.getExtension(EXTENSION).activate();
        onDidChangeStatus((it) => kinds.push(it.kind));
        const place = placeOf(document, '$answer').translate(0, 1);
        await until('a hover', async () => /Integer \$answer = 42/.test(await hoverText(document, place)));
        const end = Date.now();
        const took = end - api().activated;
        await say(`first hover ${took} ms after activation (limit: ${LIMIT} ms), ${end - start} ms after opening`);
        if (document.getText().includes('include ntp')) {
            const name = placeOf(document, 'ntp').translate(0, 1);
            await until('a hover on a class of another module', async () => (await hoverText(document, name)).includes('ntp'));
            await say(`classes of other modules loaded after ${Date.now() - start} ms`);
            await status('ready');
            await say(`workspace loaded after ${Date.now() - start} ms`);
            assert.ok(kinds.includes('loading'), kinds.join(' '));
        }
        assert.ok(took < LIMIT);
    },
};

exports.run = () => runAll(tests);
