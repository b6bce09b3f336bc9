// Compares the grammars with the server's semantic tokens on all manifests and templates in a folder:
//
//   node test/grammars/agreement.mjs BINARY FOLDER [--show KIND]
//
// Fails if a file ends inside an open scope, or if fewer than 99.9 % of the tokens agree. A token agrees if
// all its characters except whitespace have a scope with the same meaning. Text with a meaning in the
// grammar that is not a semantic token counts as a disagreement.

import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import oniguruma from 'vscode-oniguruma';
import textmate from 'vscode-textmate';

import { Server } from '../server.mjs';

/** The required share of tokens that agree. */
const REQUIRED = 0.999;

const GRAMMARS = { 'source.puppet': 'puppet', 'text.epp': 'epp' };

/** The meanings of scopes. The first matching prefix applies. */
const MEANINGS = [
    ['meta.embedded', ''],
    ['source.puppet', ''],
    ['comment', 'comment'],
    ['string.regexp', 'regexp'],
    ['string', 'string'],
    ['punctuation.definition.string', 'string'],
    ['constant.character.escape', 'escape'],
    ['constant.numeric', 'number'],
    ['constant.language', 'keyword'],
    ['keyword.operator', 'operator'],
    ['keyword', 'keyword'],
    ['variable.other.property', 'property'],
    ['variable', 'variable'],
    ['entity.name.type.class', 'class'],
    ['entity.name.type', 'type'],
    ['entity.name.function', 'function'],
];

/** The meanings that agree with each token type of the server. */
const KINDS = {
    namespace: ['class', 'type', 'function'],
    type: ['type'],
    class: ['class'],
    parameter: ['variable'],
    variable: ['variable'],
    property: ['property'],
    function: ['function'],
    method: ['function'],
    keyword: ['keyword'],
    comment: ['comment'],
    string: ['string'],
    number: ['number'],
    regexp: ['regexp'],
    operator: ['operator'],
    escapeSequence: ['escape'],
};

/** Qualified names. The server has no tokens for their colons. */
const NAMES = ['class', 'type', 'function'];

const [binary, folder, , shownKind] = process.argv.slice(2);
if (binary === undefined || folder === undefined) {
    console.error('usage: agreement.mjs BINARY FOLDER [--show KIND]');
    process.exit(2);
}

const registry = await grammars();
const server = new Server(binary);
const capabilities = await server.start();
const legend = capabilities.semanticTokensProvider.legend.tokenTypes;

const counts = { files: 0, tokens: 0, agree: 0 };
const unclosed = [];
const disagreements = new Map();

for (const file of sources(folder)) {
    const text = readText(file);
    if (text !== undefined) {
        counts.files += 1;
        await compare(file, text);
    }
}
await server.stop();
report();

async function compare(file, text) {
    const isTemplate = file.endsWith('.epp');
    const grammar = await registry.loadGrammar(isTemplate ? 'text.epp' : 'source.puppet');
    const lines = text.split(/\r\n|\n|\r/u);
    const { meanings, depth } = tokenize(grammar, lines);
    if (depth > 1) {
        unclosed.push(file);
    }
    const covered = lines.map((line) => new Uint8Array(line.length));
    for (const token of await semanticTokens(file, text, isTemplate)) {
        const { line, start, end, kind } = token;
        covered[line].fill(1, start, end);
        let wrong;
        for (let at = start; at < end; at++) {
            const meaning = meanings[line][at] ?? '';
            if (!/\s/u.test(lines[line][at]) && !KINDS[kind].includes(meaning)) {
                wrong ??= meaning;
            }
        }
        count(wrong === undefined, `${kind} / ${wrong || 'nothing'}`, file, line, lines[line], start, end);
    }
    for (const [line, has] of covered.entries()) {
        uncovered(file, line, lines[line], has, meanings[line]);
    }
}

/** Counts text that has a meaning only in the grammar. */
function uncovered(file, line, text, has, meanings) {
    for (let at = 0; at < text.length; at++) {
        const meaning = meanings[at];
        if (has[at] === 1 || meaning === '' || meaning === undefined || /\s/u.test(text[at])) {
            continue;
        }
        if (NAMES.includes(meaning) && text[at] === ':') {
            continue;
        }
        const start = at;
        while (at + 1 < text.length && has[at + 1] === 0 && meanings[at + 1] === meaning) {
            at += 1;
        }
        count(false, `nothing / ${meaning}`, file, line, text, start, at + 1);
    }
}

function count(agrees, what, file, line, text, start, end) {
    counts.tokens += 1;
    if (agrees) {
        counts.agree += 1;
        return;
    }
    const shown = `${file}:${line + 1}: ${text.slice(0, start)}⟦${text.slice(start, end)}⟧${text.slice(end)}`;
    disagreements.set(what, [...(disagreements.get(what) ?? []), shown]);
}

/** Returns the meaning of every character, and the number of open scopes at the end. */
function tokenize(grammar, lines) {
    let state = textmate.INITIAL;
    const meanings = lines.map((line) => {
        const found = grammar.tokenizeLine(line, state);
        state = found.ruleStack;
        const all = [];
        for (const token of found.tokens) {
            const meaning = meaningOf(token.scopes);
            for (let at = token.startIndex; at < token.endIndex; at++) {
                all[at] = meaning;
            }
        }
        return all;
    });
    return { meanings, depth: state.depth };
}

function meaningOf(scopes) {
    for (const scope of scopes.toReversed()) {
        const found = MEANINGS.find(([prefix]) => scope === prefix || scope.startsWith(`${prefix}.`));
        if (found !== undefined) {
            return found[1];
        }
    }
    return '';
}

async function semanticTokens(file, text, isTemplate) {
    const uri = `untitled:${encodeURI(file)}`;
    const languageId = isTemplate ? 'epp' : 'puppet';
    server.notify('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } });
    const answer = await server.request('textDocument/semanticTokens/full', { textDocument: { uri } });
    server.notify('textDocument/didClose', { textDocument: { uri } });
    const data = answer?.data ?? [];
    const found = [];
    let line = 0;
    let start = 0;
    for (let at = 0; at < data.length; at += 5) {
        start = data[at] === 0 ? start + data[at + 1] : data[at + 1];
        line += data[at];
        found.push({ line, start, end: start + data[at + 2], kind: legend[data[at + 3]] });
    }
    return found;
}

async function grammars() {
    const require = createRequire(import.meta.url);
    const wasm = fs.readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'));
    await oniguruma.loadWASM(wasm.buffer);
    return new textmate.Registry({
        onigLib: Promise.resolve({
            createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
            createOnigString: (text) => new oniguruma.OnigString(text),
        }),
        loadGrammar: async (scope) => {
            const name = GRAMMARS[scope];
            if (name === undefined) {
                return null;
            }
            const file = path.join(import.meta.dirname, `../../dist/grammars/${name}.tmLanguage.json`);
            return textmate.parseRawGrammar(fs.readFileSync(file, 'utf8'), file);
        },
    });
}

function sources(top) {
    const found = fs.readdirSync(top, { recursive: true, withFileTypes: true });
    return found
        .filter((it) => it.isFile() && /\.e?pp$/u.test(it.name))
        .map((it) => path.join(it.parentPath, it.name))
        .sort();
}

/** Returns the text of a file if it is valid UTF-8. */
function readText(file) {
    try {
        return new TextDecoder('utf-8', { fatal: true }).decode(fs.readFileSync(file));
    } catch {
        return undefined;
    }
}

function report() {
    const share = counts.agree / counts.tokens;
    const byCount = [...disagreements].sort((a, b) => b[1].length - a[1].length);
    for (const [what, places] of byCount) {
        console.log(`${String(places.length).padStart(6)}  ${what}`);
        const limit = shownKind === what ? 40 : 2;
        places.slice(0, limit).forEach((it) => console.log(`          ${it}`));
    }
    unclosed.slice(0, 20).forEach((it) => console.log(`open scope at the end: ${it}`));
    console.log(
        `${counts.files} files, ${counts.tokens} tokens: ${(share * 100).toFixed(3)} % agree with the server; ` +
            `${unclosed.length} files end inside a scope`,
    );
    if (counts.files === 0 || share < REQUIRED || unclosed.length > 0) {
        process.exitCode = 1;
    }
}
