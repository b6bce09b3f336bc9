// The extension without a server: one message for each problem.

const fs = require('node:fs');
const path = require('node:path');
const { api, assert, hoverText, message, messages, open, placeOf, quiet, runAll, set, status, until } =
    require('./lib.cjs');

const scratch = process.env.PUPIL_SCRATCH;

/** Creates a program that prints this text. */
function program(name, text) {
    const at = path.join(scratch, name);
    fs.writeFileSync(at, `#!/bin/sh\necho '${text}'\n`, { mode: 0o755 });
    return at;
}

/** Sets the path, and returns the resulting message. */
async function messageFor(value, part) {
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
        const found = await message('program “pupil” not found on the PATH');
        assert.match(found, /pupil\.server\.path/);
        assert.equal((await status('failed')).why, found);
        assert.deepEqual(await messages(), [found]);
    },

    async 'a program that is too old'() {
        const found = await messageFor(program('old', 'pupil 0.0.9'), 'requires 0.1 or later');
        assert.match(found, /Pupil 0\.0\.9/);
    },

    async 'a program that is too new'() {
        assert.match(await messageFor(program('new', 'pupil 7.0.0'), 'requires 0.1'), /Update the extension/);
    },

    async 'a program that is something else'() {
        await messageFor(program('other', 'teapot 1.2.3'), 'is not Pupil');
    },

    async 'a path that does not exist'() {
        await messageFor('/nowhere/pupil', 'does not exist');
    },

    async 'a directory'() {
        await messageFor(scratch, 'is a directory');
    },

    async 'a relative path'() {
        await messageFor('./pupil', 'expected an absolute path');
    },

    async 'a setting of the wrong type'() {
        await messageFor(7, 'expected a string');
    },

    async 'a program that is not executable'() {
        const at = program('not-executable', 'pupil 0.1.0');
        fs.chmodSync(at, 0o644);
        await messageFor(at, 'is not executable');
    },

    async 'a valid path'() {
        await quiet();
        await set('pupil.server.path', process.env.PUPIL_BINARY);
        await status('ready');
        const { document } = await open('manifests/init.pp');
        await until('a hover', async () => /4096/.test(await hoverText(document, placeOf(document, '$limits'))));
    },

    async 'found on the PATH without a setting'() {
        fs.symlinkSync(process.env.PUPIL_BINARY, path.join(scratch, 'path/pupil'));
        await set('pupil.server.path', undefined);
        await until('the program on the PATH', () => api().status.kind !== 'ready');
        await until('the server to be ready', () => api().status.kind !== 'starting' && api().status.kind !== 'stopped');
        assert.deepEqual(api().status, { kind: 'ready', notes: [] }, process.env.PATH);
        assert.deepEqual(await messages(), []);
    },
};

exports.run = () => runAll(tests);
