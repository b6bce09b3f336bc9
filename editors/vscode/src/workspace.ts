// Renders the server's description of the workspace.

/** The request that returns a `Description`. */
export const WORKSPACE_REQUEST = 'pupil/workspace';

export interface Description {
    readonly environments: readonly Environment[];
    readonly notes: readonly Note[];
    readonly texts: { readonly files: number; readonly bytes: number };
}

interface Environment {
    readonly root: string;
    readonly kind: string;
    readonly why: string;
    readonly modulepath: readonly Folder[];
    readonly manifest: { readonly path: string; readonly why: string } | null;
    readonly modules: readonly Module[];
    readonly others: readonly string[];
}

interface Folder {
    readonly path: string;
    readonly why: string;
    readonly exists: boolean;
}

interface Module {
    readonly name: string;
    readonly folder: string;
    readonly version: string | null;
    readonly why: string;
    readonly files: Readonly<Record<string, number>>;
}

interface Note {
    readonly path: string;
    readonly line?: number;
    readonly column?: number;
    readonly message: string;
}

export function describe(found: Description): string {
    const parts = found.environments.map(environment);
    if (found.notes.length > 0) {
        parts.push(['Notes', ...found.notes.map((it) => `  ${note(it)}`)].join('\n'));
    }
    parts.push(`${found.texts.files} files, ${found.texts.bytes} bytes`);
    return `${parts.join('\n\n')}\n`;
}

function environment(it: Environment): string {
    const lines = [`${it.root}: ${it.kind} (${it.why})`];
    const add = (title: string, items: readonly string[]): void => {
        if (items.length > 0) {
            lines.push(`  ${title}`, ...items.map((item) => `    ${item}`));
        }
    };
    add(
        'module path',
        it.modulepath.map((at) => `${at.path}${at.exists ? '' : ', does not exist'} (${at.why})`),
    );
    add('main manifest', it.manifest === null ? [] : [`${it.manifest.path} (${it.manifest.why})`]);
    add('modules', it.modules.map(module));
    add('other files', it.others);
    return lines.join('\n');
}

function module(it: Module): string {
    const version = it.version === null ? '' : ` ${it.version}`;
    const files = Object.entries(it.files).map(([kind, count]) => `${count} ${kind}`);
    return `${it.name}${version}: ${it.folder} (${it.why}): ${files.join(', ')}`;
}

function note(it: Note): string {
    const place = it.line === undefined ? '' : `:${it.line}:${it.column ?? 1}`;
    return `${it.path}${place}: ${it.message}`;
}
