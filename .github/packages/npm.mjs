// Builds the npm packages.
//
//   node npm.mjs TARGET BINARY OUT    the package of one platform, which contains the program
//   node npm.mjs OUT                  `pupil-lsp`, which starts the program of the platform's package
//
// `pupil-lsp` lists the packages of all platforms as optional dependencies: npm installs only the one that
// fits. On Linux they contain the static program, because npm cannot choose by the version of glibc.

import { execSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';

import { project, root } from './project.mjs';

const PLATFORMS = {
    'x86_64-unknown-linux-musl': ['linux', 'x64'],
    'aarch64-unknown-linux-musl': ['linux', 'arm64'],
    'x86_64-apple-darwin': ['darwin', 'x64'],
    'aarch64-apple-darwin': ['darwin', 'arm64'],
    'x86_64-pc-windows-msvc': ['win32', 'x64'],
};
const { version, description, license, repository } = project();
const shared = {
    version,
    license,
    ...(repository === '' ? {} : { homepage: repository, repository: { type: 'git', url: `git+${repository}.git` } }),
};
const nameOf = ([system, processor]) => `pupil-lsp-${system}-${processor}`;

const args = process.argv.slice(2);
if (args.length === 1) {
    packMain(args[0]);
} else if (args.length === 3 && args[0] in PLATFORMS) {
    packPlatform(PLATFORMS[args[0]], args[1], args[2]);
} else {
    console.error(args.length === 3 ? `no npm package for ${args[0]}` : 'usage: npm.mjs [TARGET BINARY] OUT');
    process.exit(2);
}

function packPlatform(platform, binary, out) {
    const [system, processor] = platform;
    const name = nameOf(platform);
    const program = system === 'win32' ? 'pupil.exe' : 'pupil';
    const manifest = {
        name,
        description: `${description}, for ${system} on ${processor}`,
        ...shared,
        os: [system],
        cpu: [processor],
        files: [program],
        preferUnplugged: true,
    };
    pack(manifest, out, `# ${name}\n\nThe program of \`pupil-lsp\` for ${system} on ${processor}. Install \`pupil-lsp\` instead.\n`, (folder) => {
        fs.copyFileSync(binary, path.join(folder, program));
        fs.chmodSync(path.join(folder, program), 0o755);
    });
}

function packMain(out) {
    const names = Object.values(PLATFORMS).map(nameOf);
    const manifest = {
        name: 'pupil-lsp',
        description,
        ...shared,
        keywords: ['puppet', 'openvox', 'language-server', 'lsp', 'linter', 'formatter'],
        bin: { pupil: 'pupil.js' },
        files: ['pupil.js'],
        engines: { node: '>=18' },
        optionalDependencies: Object.fromEntries(names.map((it) => [it, version])),
    };
    const here = path.join(import.meta.dirname, 'npm');
    pack(manifest, out, fs.readFileSync(path.join(here, 'README.md'), 'utf8'), (folder) => {
        fs.copyFileSync(path.join(here, 'pupil.js'), path.join(folder, 'pupil.js'));
        fs.chmodSync(path.join(folder, 'pupil.js'), 0o755);
    });
}

function pack(manifest, out, readme, addFiles) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pupil-npm-'));
    try {
        fs.mkdirSync(out, { recursive: true });
        fs.writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
        fs.writeFileSync(path.join(folder, 'README.md'), readme);
        fs.copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
        addFiles(folder);
        // In a shell, because npm is a script on Windows.
        execSync(`npm pack --silent --pack-destination "${path.resolve(out)}"`, {
            cwd: folder,
            stdio: ['ignore', 'ignore', 'inherit'],
        });
    } finally {
        fs.rmSync(folder, { recursive: true, force: true });
    }
}
