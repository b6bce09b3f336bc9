// The documents that are synchronized with the server.

import { extensions, type TextDocument } from 'vscode';
import type { TextDocumentFilter } from 'vscode-languageclient';

/** Red Hat's extension for YAML. */
const YAML_EXTENSION = 'redhat.vscode-yaml';

const PUPPET: TextDocumentFilter[] = ['puppet', 'epp'].flatMap((language) => [
    { scheme: 'file', language },
    { scheme: 'untitled', language },
]);

/**
 * Data of Hiera. `hiera.yaml` can name any directory, so this includes all YAML. The server ignores files that
 * Hiera does not read.
 */
const DATA: TextDocumentFilter[] = [
    { scheme: 'file', language: 'yaml' },
    { scheme: 'file', pattern: '**/*.eyaml' },
    { scheme: 'file', pattern: '**/{data,hieradata}/**/*.{yaml,yml,json}' },
];

/** The server ignores ERB templates that are not in `templates` of a module. */
const TEMPLATES: TextDocumentFilter[] = [{ scheme: 'file', pattern: '**/templates/**/*.erb' }];

const PROJECT: TextDocumentFilter[] = [
    { scheme: 'file', pattern: '**/{metadata.json,Puppetfile,environment.conf}' },
];

/** The languages of Hiera data. */
export const DATA_LANGUAGES = ['yaml', 'json', 'jsonc'];

export const DOCUMENTS: TextDocumentFilter[] = [...PUPPET, ...DATA, ...TEMPLATES, ...PROJECT];

/** Checks whether another extension already provides the outline and folding of a document. */
export function hasOutline(document: TextDocument): boolean {
    switch (document.languageId) {
        case 'json':
        case 'jsonc':
            return true;
        case 'yaml':
            return extensions.getExtension(YAML_EXTENSION)?.isActive === true;
        default:
            return false;
    }
}
