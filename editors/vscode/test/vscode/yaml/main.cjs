// Starts Red Hat's language server for YAML, so that the tests see whether Pupil disturbs it.

const path = require('node:path');
const { pathToFileURL } = require('node:url');

const { LanguageClient, TransportKind } = require('vscode-languageclient/node');

const schema = pathToFileURL(path.join(__dirname, 'schema.json'));

const settings = {
    yaml: {
        validate: true,
        hover: true,
        completion: true,
        format: { enable: true },
        schemas: { [schema]: 'data/*.yaml' },
    },
};

let client;

exports.activate = async () => {
    const module = process.env.PUPIL_YAML_SERVER;
    const run = { module, transport: TransportKind.ipc };
    client = new LanguageClient('yaml', 'YAML', { run, debug: run }, {
        documentSelector: [{ language: 'yaml' }],
        middleware: {
            workspace: { configuration: (params) => params.items.map((it) => settings[it.section] ?? null) },
        },
    });
    await client.start();
};

exports.deactivate = () => client?.stop();
