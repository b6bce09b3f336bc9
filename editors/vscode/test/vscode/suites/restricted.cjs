// An untrusted workspace that tries to choose the server.

const fs = require('node:fs');
const path = require('node:path');
const { api, assert, hoverText, messages, open, placeOf, runAll, status, until, vscode } = require('./lib.cjs');

const tests = {
    async 'the extension works in Restricted Mode'() {
        assert.equal(vscode.workspace.isTrusted, false);
        const { document } = await open('manifests/init.pp');
        await status('ready');
        await until('a hover', async () => /4096/.test(await hoverText(document, placeOf(document, '$limits'))));
    },

    async 'a workspace cannot choose the server'() {
        const settings = vscode.workspace.getConfiguration('pupil').inspect('server.path');
        assert.equal(settings.workspaceValue, undefined);
        assert.equal(vscode.workspace.getConfiguration('pupil').get('server.path'), null);
        await vscode.commands.executeCommand('pupil.restart');
        await status('ready');
        assert.match(api().client._serverProcess.spawnfile, /extensions\/pupil\.pupil.*\/server\/pupil$/);
        assert.equal(fs.existsSync(path.join(process.env.PUPIL_SCRATCH, 'was-run')), false);
    },

    'a workspace cannot choose module paths'() {
        const settings = vscode.workspace.getConfiguration('pupil');
        assert.deepEqual(settings.get('modulepath'), []);
        assert.equal(settings.get('basemodulepath'), null);
    },

    async 'commands work'() {
        await vscode.commands.executeCommand('pupil.check');
        await until('the result', async () => (await messages()).some((it) => it.includes('2 errors')));
    },
};

exports.run = () => runAll(tests);
