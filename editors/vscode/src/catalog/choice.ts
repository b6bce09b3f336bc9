// “Select Node and Facts for Catalog…”: the node and the facts that catalogs are compiled for, remembered for the workspace.

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

const UNKNOWN = 'unknown facts';

interface Item extends QuickPickItem {
    /** The name; `null` for unknown facts or no node. */
    readonly name: string | null;
    readonly isOther?: boolean;
}

export class ChosenTarget implements Disposable {
    private readonly changes = new EventEmitter<void>();
    private readonly item: StatusBarItem;
    /** The fact set that the server chose last; `undefined` before its first answer. */
    private defaultFacts: string | null | undefined;

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
        return `${node ?? 'any node'}, ${facts === undefined ? this.defaultLabel : (facts ?? UNKNOWN)}`;
    }

    private get defaultLabel(): string {
        switch (this.defaultFacts) {
            case undefined:
                return 'default facts';
            case null:
                return UNKNOWN;
            default:
                return `${this.defaultFacts} (default)`;
        }
    }

    /** Notes the fact set that the server chooses for the shown catalog. */
    setDefaultFacts(facts: string | null): void {
        this.defaultFacts = facts;
        this.draw();
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
        this.setDefaultFacts(choices.defaultFacts);
        const { facts: current = choices.defaultFacts } = this.choice;
        const facts = await pick('Facts', 'Unknown facts', choices.facts, current);
        if (facts === undefined) {
            return;
        }
        const node = await pick('Node', 'Any node', choices.nodes, this.choice.node ?? null, 'Another node…');
        if (node === undefined) {
            return;
        }
        const name = node.isOther === true ? await otherNode() : node.name;
        if (node.isOther === true && name === undefined) {
            return;
        }
        await this.set({ facts: facts.name, ...(name === undefined || name === null ? {} : { node: name }) });
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
    current: string | null,
    other?: string,
): Promise<Item | undefined> {
    const mark = (name: string | null): { description?: string } =>
        name === current ? { description: 'current' } : {};
    const items: Item[] = [{ label: none, name: null, ...mark(null) }];
    items.push(...names.map((name) => ({ label: name, name, ...mark(name) })));
    if (other !== undefined) {
        if (current !== null && !names.includes(current)) {
            items.push({ label: current, name: current, ...mark(current) });
        }
        items.push({ label: other, name: null, isOther: true });
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
