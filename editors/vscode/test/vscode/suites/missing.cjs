// The extension without a server: one clear message for everything that can be wrong.

const fs = require('node:fs');
const path = require('node:path');
const { api, assert, hoverText, message, messages, open, placeOf, quiet, runAll, set, status, until } =
    require('./lib.cjs');

const scratch = process.env.PUPIL_SCRATCH;

/** A program that says this. */
function program(name, text) {
    const at = path.join(scratch, name);
    fs.writeFileSync(at, `#!/bin/sh\necho '${text}'\n`, { mode: 0o755 });
    return at;
}

/** Sets the path; gives the one message that comes of it. */
async function told(value, part) {
    await quiet();
    await set('pupil.server.path', value);
    const found = await message(part);
    assert.equal((await status('failed')).why, found);
    assert.deepEqual(await messages(), [found]);
    return found;
}

const tests = {
    async 'no server at all'() {
        await open('manifests/init.pp');
        const found = await message('no program “pupil” on the PATH');
        assert.match(found, /pupil\.server\.path/);
        assert.equal((await status('failed')).why, found);
        assert.deepEqual(await messages(), [found]);
    },

    async 'a program that is too old'() {
        const found = await told(program('old', 'pupil 0.0.9'), 'needs 0.1 or newer');
        assert.match(found, /Pupil 0\.0\.9/);
    },

    async 'a program that is too new'() {
        assert.match(await told(program('new', 'pupil 7.0.0'), 'needs 0.1'), /Update the extension/);
    },

    async 'a program that is something else'() {
        await told(program('other', 'teapot 1.2.3'), 'is not Pupil');
    },

    async 'a path that leads nowhere'() {
        await told('/nowhere/pupil', 'does not exist');
    },

    async 'a folder'() {
        await told(scratch, 'is a folder');
    },

    async 'a relative path'() {
        await told('./pupil', 'must be a full path');
    },

    async 'a setting of the wrong kind'() {
        await told(7, 'must be text');
    },

    async 'a program that may not be run'() {
        const at = program('not-executable', 'pupil 0.1.0');
        fs.chmodSync(at, 0o644);
        await told(at, 'may not be run');
    },

    async 'the right program at last'() {
        await quiet();
        await set('pupil.server.path', process.env.PUPIL_BINARY);
        await status('ready');
        const { document } = await open('manifests/init.pp');
        await until('a hover', async () => /4096/.test(await hoverText(document, placeOf(document, '$limits'))));
    },

    async 'found on the PATH without a setting'() {
        fs.symlinkSync(process.env.PUPIL_BINARY, path.join(scratch, 'path/pupil'));
        await set('pupil.server.path', undefined);
        await until('the one on the PATH', () => api().status.kind !== 'ready');
        await until('it to be ready', () => api().status.kind !== 'starting' && api().status.kind !== 'stopped');
        assert.deepEqual(api().status, { kind: 'ready', notes: [] }, process.env.PATH);
        assert.deepEqual(await messages(), []);
    },
};

exports.run = () => runAll(tests);
