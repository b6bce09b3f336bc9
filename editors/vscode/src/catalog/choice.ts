// “Compile for…”: the node and the facts that catalogs are compiled for, remembered for the workspace.

import {
    type Disposable,
    type ExtensionContext,
    EventEmitter,
    type QuickPickItem,
    StatusBarAlignment,
    type StatusBarItem,
    window,
} from 'vscode';

import type { Choice, Choices } from './protocol';

const KEY = 'catalog.choice';

interface Item extends QuickPickItem {
    /** The name; `undefined` for unknown facts or no node. */
    readonly name?: string;
    readonly isOther?: boolean;
}

export class ChosenTarget implements Disposable {
    private readonly changes = new EventEmitter<void>();
    private readonly item: StatusBarItem;

    readonly onDidChange = this.changes.event;

    constructor(private readonly context: ExtensionContext) {
        this.item = window.createStatusBarItem('pupil.catalog', StatusBarAlignment.Left, 0);
        this.item.name = 'Pupil: Catalog';
        this.item.command = 'pupil.compileFor';
        this.item.tooltip = 'The node and the facts that the catalog preview is compiled for';
        this.draw();
    }

    get choice(): Choice {
        return this.context.workspaceState.get<Choice>(KEY, {});
    }

    /** Describes the choice in a few words. */
    get label(): string {
        const { node, facts } = this.choice;
        return `${node ?? 'any node'}, ${facts ?? 'unknown facts'}`;
    }

    /** Shows or hides the status bar item. */
    show(isShown: boolean): void {
        if (isShown) {
            this.item.show();
        } else {
            this.item.hide();
        }
    }

    async set(choice: Choice): Promise<void> {
        await this.context.workspaceState.update(KEY, choice);
        this.draw();
        this.changes.fire();
    }

    /** Lets the user choose the facts, then the node. */
    async ask(choices: Choices): Promise<void> {
        const facts = await pick('Facts', 'Unknown facts', choices.facts, this.choice.facts);
        if (facts === undefined) {
            return;
        }
        const node = await pick('Node', 'Any node', choices.nodes, this.choice.node, 'Another node…');
        if (node === undefined) {
            return;
        }
        const name = node.isOther === true ? await otherNode() : node.name;
        if (node.isOther === true && name === undefined) {
            return;
        }
        await this.set({
            ...(facts.name === undefined ? {} : { facts: facts.name }),
            ...(name === undefined ? {} : { node: name }),
        });
    }

    dispose(): void {
        this.item.dispose();
        this.changes.dispose();
    }

    private draw(): void {
        this.item.text = `$(server) ${this.label}`;
    }
}

/** Lets the user choose a name, or none. */
async function pick(
    title: string,
    none: string,
    names: readonly string[],
    current: string | undefined,
    other?: string,
): Promise<Item | undefined> {
    const mark = (name: string | undefined): { description?: string } =>
        name === current ? { description: 'current' } : {};
    const items: Item[] = [{ label: none, ...mark(undefined) }];
    items.push(...names.map((name) => ({ label: name, name, ...mark(name) })));
    if (other !== undefined) {
        if (current !== undefined && !names.includes(current)) {
            items.push({ label: current, name: current, ...mark(current) });
        }
        items.push({ label: other, isOther: true });
    }
    return await window.showQuickPick(items, { title: `Compile catalogs for: ${title}`, placeHolder: title });
}

async function otherNode(): Promise<string | undefined> {
    const name = await window.showInputBox({
        title: 'Compile catalogs for: Node',
        prompt: 'The name of the node, which is that of its certificate',
        placeHolder: 'web1.example.com',
        validateInput: (text) => (/^[-\w.]+$/u.test(text.trim()) ? undefined : 'Expected a host name'),
    });
    return name?.trim().toLowerCase();
}
