// Checks the contributions of the extension against the server:
//
//   node test/contents.mjs BINARY
//
// Every snippet parses and differs from what the server suggests, and every setting in server/CONFIGURATION.md exists and has a description.

import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';

import { Server } from './server.mjs';

/** Issues that are expected in a fragment of a file. */
const HARMLESS = ['IDEM_EXPRESSION_NOT_LAST', 'IDEM_NOT_ALLOWED_LAST'];

const [binary] = process.argv.slice(2);
const root = path.dirname(import.meta.dirname);
const read = (file) => fs.readFileSync(path.join(root, file), 'utf8');
const complaints = [...snippets('puppet', 'pp'), ...snippets('epp', 'epp'), ...(await duplicates()), ...settings()];
complaints.forEach((it) => console.log(it));
console.log(complaints.length === 0 ? 'no problems in snippets and settings' : `${complaints.length} problems`);
process.exitCode = complaints.length === 0 ? 0 : 1;

/** Returns the problems of the snippets of a language. */
function snippets(language, extension) {
    const all = Object.entries(JSON.parse(read(`snippets/${language}.json`)));
    const lines = all.map(([id, { body }]) => {
        const place = id === 'Plan' ? '/m/plans/a.pp' : `${id}.${extension}`;
        return JSON.stringify({ id, source: expanded(body.join('\n')), path: place });
    });
    const input = lines.join('\n');
    const output = execFileSync(binary, ['debug', 'parse', '--json'], { input, encoding: 'utf8' });
    const answers = output.trim().split('\n').map((it) => JSON.parse(it));
    if (answers.length !== all.length) {
        return [`expected ${all.length} results for ${language} snippets, found ${answers.length}`];
    }
    const bad = answers.filter((it) => it.errors.some(({ code }) => !HARMLESS.includes(code)));
    return bad.map((it) => `${language} snippet ${it.id}: ${JSON.stringify(it.errors)}`);
}

/** Returns the snippets whose prefix the server suggests by itself: an editor would list both. */
async function duplicates() {
    const server = new Server(path.resolve(binary));
    await server.start();
    const suggested = new Set();
    for (const [name, text, position] of [
        ['top', '', { line: 0, character: 0 }],
        ['body', 'class a {\n  \n}\n', { line: 1, character: 2 }],
    ]) {
        const uri = `untitled:${name}`;
        server.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'puppet', version: 1, text } });
        const found = await server.request('textDocument/completion', { textDocument: { uri }, position });
        (found.items ?? found).forEach((it) => suggested.add(it.label));
    }
    await server.stop();
    const prefixes = Object.values(JSON.parse(read('snippets/puppet.json'))).map((it) => it.prefix);
    const twice = prefixes.filter((it) => suggested.has(it));
    const enough = suggested.size > 50 ? [] : [`only ${suggested.size} suggestions of the server`];
    return [...enough, ...twice.map((it) => `the server suggests the puppet snippet ${it} too`)];
}

/** Expands the placeholders of a snippet to their defaults. */
function expanded(body) {
    let text = body;
    for (let before; before !== text; ) {
        before = text;
        text = text
            .replace(/(?<!\\)\$\{\d+\|((?:[^,|}]|\\.)*)[^}]*\|\}/u, '$1')
            .replace(/(?<!\\)\$\{\d+:((?:[^{}\\]|\\.)*)\}/u, '$1');
    }
    return text.replace(/(?<!\\)\$\d+/gu, '').replaceAll(/\\([$}\\])/gu, '$1');
}

/** Returns the missing settings, and those without a description. */
function settings() {
    const titles = JSON.parse(read('package.json')).contributes.configuration;
    const there = Object.assign({}, ...titles.map((it) => it.properties));
    const page = read('../../server/CONFIGURATION.md').matchAll(/^\| `(pupil\.\w+)` \|(.*)$/gmu);
    const missing = [...page].flatMap(([, name, text]) => {
        const below = [...text.matchAll(/`([a-z]\w*)`/gu)].map((it) => `${name}.${it[1]}`);
        const names = name === 'pupil.inlayHints' ? below : [name === 'pupil.trace' ? 'pupil.trace.server' : name];
        return names.filter((it) => there[it] === undefined);
    });
    const silent = Object.keys(there).filter((it) => !there[it].markdownDescription);
    return [...missing.map((it) => `missing setting ${it}`), ...silent.map((it) => `missing description of ${it}`)];
}
