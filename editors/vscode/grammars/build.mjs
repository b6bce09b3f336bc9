// Writes the grammars as VS Code reads them.
//
// They are written in JavaScript because the same names and operators stand in many rules, and
// because regular expressions need no second escaping here.

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
