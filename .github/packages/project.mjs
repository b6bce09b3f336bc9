// Properties of the project, from `[workspace.package]` in Cargo.toml: node project.mjs [KEY]
//
// Prints one property, or all as JSON. `repository` is empty as long as Cargo.toml does not set it. The
// environment variable PUPIL_REPOSITORY overrides it, for forks and tests.

import * as fs from 'node:fs';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.dirname(path.dirname(import.meta.dirname));

export function project() {
    const cargo = fs.readFileSync(path.join(root, 'Cargo.toml'), 'utf8');
    const section = /^\[workspace\.package\]\r?\n((?:(?!\[).*\r?\n)*)/mu.exec(cargo)[1];
    const value = (key) => new RegExp(`^${key} = "(.*)"`, 'mu').exec(section)?.[1] ?? '';
    const repository = (process.env.PUPIL_REPOSITORY ?? value('repository')).replace(/(?:\.git)?\/*$/u, '');
    if (repository !== '' && !/^https:\/\/[\w.-]+(?:\/[\w.-]+)+$/u.test(repository)) {
        console.error(`invalid address of the repository: ${repository}`);
        process.exit(2);
    }
    return {
        version: value('version'),
        description: value('description'),
        license: value('license'),
        repository,
    };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const all = project();
    const key = process.argv[2];
    if (key !== undefined && !(key in all)) {
        console.error(`unknown property: ${key}`);
        process.exit(2);
    }
    console.log(key === undefined ? JSON.stringify(all) : all[key]);
}
