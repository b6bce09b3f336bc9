// Fills the entries for registries and editors: node entries.mjs SHA256SUMS OUT
//
// Copies entries/ and editors/others/entries/ to OUT. Replaces these marks:
//
//   @VERSION@, @DESCRIPTION@, @LICENSE@, @REPOSITORY@    properties of the project
//   @SLUG@             the path of the repository, such as owner/pupil
//   @RELEASE@          the address of the files of the release, as on GitHub and Forgejo
//   @SHA256 FILE@      the checksum of a file of the release
//   @EDITORS NAME@     the configuration of an editor in docs/src/editors.md, which editors/others/run tests
//
// Leaves out the entries that require a repository on GitHub if it is elsewhere.

import * as fs from 'node:fs';
import * as path from 'node:path';

import { project, root } from './project.mjs';

const ONLY_GITHUB = ['mason', 'zed'];
const SOURCES = [path.join(import.meta.dirname, 'entries'), path.join(root, 'editors/others/entries')];

const [sums, out] = process.argv.slice(2);
if (out === undefined) {
    fail('usage: entries.mjs SHA256SUMS OUT');
}
const { version, description, license, repository } = project();
if (repository === '') {
    fail('set `repository` in Cargo.toml first: entries contain the address of the repository');
}
const checksums = new Map(
    fs
        .readFileSync(sums, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.split(/ [ *]/u, 2).reverse()),
);
const page = fs.readFileSync(path.join(root, 'docs/src/editors.md'), 'utf8');
const values = {
    VERSION: version,
    DESCRIPTION: description,
    LICENSE: license,
    REPOSITORY: repository,
    SLUG: new URL(repository).pathname.slice(1),
    RELEASE: `${repository}/releases/download/v${version}`,
};

for (const source of SOURCES) {
    for (const kind of fs.readdirSync(source)) {
        if (ONLY_GITHUB.includes(kind) && !repository.startsWith('https://github.com/')) {
            console.log(`left out ${kind}: it requires a repository on GitHub`);
            continue;
        }
        for (const file of fs.readdirSync(path.join(source, kind), { recursive: true })) {
            const from = path.join(source, kind, file);
            if (fs.statSync(from).isFile()) {
                const to = path.join(out, kind, file);
                fs.mkdirSync(path.dirname(to), { recursive: true });
                fs.writeFileSync(to, fill(fs.readFileSync(from, 'utf8'), from));
            }
        }
    }
}

function fill(text, file) {
    return text.replace(/@([A-Z0-9]+)(?: ([\w.-]+))?@/gu, (mark, name, argument) => {
        let value = argument === undefined ? values[name] : undefined;
        if (name === 'SHA256') {
            value = checksums.get(argument);
        } else if (name === 'EDITORS') {
            value = configuration(argument);
        }
        return value ?? fail(`${path.relative(root, file)}: no value for ${mark}`);
    });
}

/** Returns the configuration of an editor that a comment on the page marks. */
function configuration(editor) {
    return page.split(`<!-- lines: ${editor} -->\n`)[1]?.match(/^```\w+\n(.*?)\n```$/msu)?.[1];
}

function fail(message) {
    console.error(`entries: ${message}`);
    process.exit(2);
}
