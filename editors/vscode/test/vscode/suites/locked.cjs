// A workspace of two folders, one of which is unreadable.

const { api, assert, file, hoverText, message, messages, open, placeOf, runAll, status, until } = require('./lib.cjs');

const tests = {
    async 'the unreadable folder is reported once, and the other folder works'() {
        const { document } = await open('manifests/init.pp');
        const found = await message('cannot read the folder');
        assert.match(found, /locked-folder: permission denied\. .* restart Pupil\.$/);
        await status('ready');
        await until('a hover', async () => /4096/.test(await hoverText(document, placeOf(document, '$limits'))));
        assert.equal((await messages()).filter((it) => it.startsWith('Pupil')).length, 1);
    },

    async 'the status lists all unreadable folders'() {
        const { notes } = await until('notes', () => api().status.notes?.length > 0 && api().status);
        assert.ok(notes.some((it) => it.includes('locked-folder') && it.includes('permission denied')), notes.join('\n'));
        assert.ok(notes.some((it) => it.includes('secret')), notes.join('\n'));
        assert.ok(file('manifests/secret').path.includes('secret'));
    },
};

exports.run = () => runAll(tests);
