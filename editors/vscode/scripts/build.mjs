// Builds the extension in dist/.
//
//   node scripts/build.mjs

import * as fs from 'node:fs';
import * as path from 'node:path';
import * as esbuild from 'esbuild';

import { writeGrammars } from '../grammars/build.mjs';

const root = path.dirname(import.meta.dirname);
const dist = path.join(root, 'dist');

fs.rmSync(dist, { recursive: true, force: true });
writeGrammars(path.join(dist, 'grammars'));

const common = { absWorkingDir: root, bundle: true, minify: true, legalComments: 'none', metafile: true, logLevel: 'warning' };

const extension = await esbuild.build({
    ...common,
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.js',
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode'],
});

// The page of the catalog preview.
const page = await esbuild.build({
    ...common,
    entryPoints: [
        { in: 'webview/main.ts', out: 'catalog' },
        { in: 'webview/catalog.css', out: 'catalog' },
    ],
    outdir: 'dist',
    platform: 'browser',
    format: 'iife',
    target: 'chrome120',
});
const inputs = [extension, page].flatMap((it) => Object.keys(it.metafile.inputs));
fs.writeFileSync(path.join(dist, 'LICENSES.txt'), licences(inputs));
fs.copyFileSync(path.join(root, '../../LICENSE'), path.join(root, 'LICENSE'));

/** Returns the licenses of all packages in the bundle. */
function licences(inputs) {
    const folders = inputs.map((it) => /^.*node_modules\/(@[^/]+\/)?[^/]+/u.exec(it)?.[0]);
    const texts = [...new Set(folders.filter((it) => it !== undefined))].sort().map((folder) => {
        const at = path.join(root, folder);
        const { name, version, license } = JSON.parse(fs.readFileSync(path.join(at, 'package.json'), 'utf8'));
        const file = fs.readdirSync(at).find((it) => /^licen[sc]e/iu.test(it));
        const text = file === undefined ? '' : fs.readFileSync(path.join(at, file), 'utf8').trim();
        return `${name} ${version} (${license})\n\n${text}\n`;
    });
    return texts.join(`\n${'-'.repeat(72)}\n\n`);
}
