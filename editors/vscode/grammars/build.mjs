// Writes the grammars as JSON for VS Code.
//
// They are written in JavaScript so that rules can share patterns, and regular expressions need no second
// level of escaping.

import * as fs from 'node:fs';
import * as path from 'node:path';

import { codeblock } from './codeblock.mjs';
import { epp } from './epp.mjs';
import { puppet } from './puppet.mjs';
import { puppetfile } from './puppetfile.mjs';

export function writeGrammars(folder) {
    fs.mkdirSync(folder, { recursive: true });
    for (const [name, grammar] of Object.entries({ puppet, epp, puppetfile, codeblock })) {
        const file = path.join(folder, `${name}.tmLanguage.json`);
        fs.writeFileSync(file, `${JSON.stringify(grammar, null, 2)}\n`);
    }
}
