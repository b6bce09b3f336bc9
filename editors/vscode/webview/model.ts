// The resources in their containers, and the part of them that is shown.

import type { Catalog, Edge, Resource } from '../src/catalog/protocol';

/** The containers of every catalog, which are not drawn. */
const NOT_DRAWN = ['Class[Settings]', 'Class[main]', 'Stage[main]'];

/** The number of resources up to which containers are open at first. */
const MAX_SHOWN = 60;

/** The number of resources up to which containers stay open that were open before an edit. */
const MAX_KEPT = 200;

/** An edge between shown resources, for one or more dependencies of what they contain. */
export interface ShownEdge {
    readonly id: string;
    readonly from: string;
    readonly to: string;
    readonly edges: readonly Edge[];
    readonly isNotify: boolean;
    /** Whether resource types add all of its dependencies by themselves. */
    readonly isAutomatic: boolean;
    readonly isCycle: boolean;
}

export class Model {
    readonly resources = new Map<string, Resource>();
    private readonly parents = new Map<string, string>();
    private readonly children = new Map<string, string[]>();
    private readonly inCycles = new Set<string>();
    private readonly cycleMembers: Set<string>;
    private readonly roots: string[] = [];
    private readonly open = new Set<string>();

    constructor(
        readonly catalog: Catalog,
        /** Whether containers are open, as far as the user has chosen. */
        private readonly choices: Map<string, boolean>,
        before?: Model,
    ) {
        for (const it of catalog.resources) {
            if (!NOT_DRAWN.includes(it.reference)) {
                this.resources.set(it.reference, it);
            }
        }
        for (const it of this.resources.values()) {
            const parent = this.parentOf(it);
            if (parent === undefined) {
                this.roots.push(it.reference);
            } else {
                this.parents.set(it.reference, parent);
                append(this.children, parent, it.reference);
            }
        }
        this.cycleMembers = new Set(catalog.cycles.flat());
        for (const path of catalog.cycles) {
            path.forEach((it, index) => this.inCycles.add(pair(it, path[(index + 1) % path.length] ?? it)));
        }
        this.chooseOpen(before);
    }

    /** Returns the container of a resource, unless the resource would contain itself. */
    private parentOf(resource: Resource): string | undefined {
        const parent = resource.container;
        if (parent === null || !this.resources.has(parent)) {
            return undefined;
        }
        const seen = new Set([resource.reference]);
        for (let at: string | null = parent; at !== null; at = this.resources.get(at)?.container ?? null) {
            if (seen.has(at)) {
                return undefined;
            }
            seen.add(at);
        }
        return parent;
    }

    /** Opens containers from the outside, as long as the graph stays readable. */
    private chooseOpen(before: Model | undefined): void {
        let shown = this.roots.length;
        const queue = [...this.roots];
        for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
            const inside = this.inside(at);
            if (inside.length === 0) {
                continue;
            }
            const limit = before?.isOpen(at) === true ? MAX_KEPT : MAX_SHOWN;
            if (this.choices.get(at) ?? shown + inside.length <= limit) {
                this.open.add(at);
                shown += inside.length;
                queue.push(...inside);
            }
        }
    }

    get top(): readonly string[] {
        return this.roots;
    }

    inside(reference: string): readonly string[] {
        return this.children.get(reference) ?? [];
    }

    container(reference: string): string | undefined {
        return this.parents.get(reference);
    }

    isContainer(reference: string): boolean {
        return this.inside(reference).length > 0;
    }

    isOpen(reference: string): boolean {
        return this.choices.get(reference) ?? this.open.has(reference);
    }

    isInCycle(reference: string): boolean {
        return this.cycleMembers.has(reference);
    }

    setOpen(reference: string, isOpen: boolean): void {
        this.choices.set(reference, isOpen);
    }

    setAllOpen(isOpen: boolean): void {
        for (const it of this.children.keys()) {
            this.choices.set(it, isOpen);
        }
    }

    /** Opens the containers around a resource. */
    show(reference: string): void {
        for (let at = this.container(reference); at !== undefined; at = this.container(at)) {
            this.choices.set(at, true);
        }
    }

    /** Returns the number of resources in a container, in all depths. */
    count(reference: string): number {
        const open = [...this.inside(reference)];
        let found = 0;
        for (let at = open.pop(); at !== undefined; at = open.pop()) {
            found += 1;
            open.push(...this.inside(at));
        }
        return found;
    }

    /** Returns the shown resources, each after its container. */
    shown(): string[] {
        const found: string[] = [];
        const open = [...this.roots].reverse();
        for (let at = open.pop(); at !== undefined; at = open.pop()) {
            found.push(at);
            if (this.isOpen(at)) {
                open.push(...[...this.inside(at)].reverse());
            }
        }
        return found;
    }

    /** Returns the edges between shown resources. */
    shownEdges(): ShownEdge[] {
        const visible = new Set(this.shown());
        const groups = new Map<string, { from: string; to: string; edges: Edge[]; isCycle: boolean }>();
        for (const edge of this.catalog.edges) {
            const from = this.visible(edge.from, visible);
            const to = this.visible(edge.to, visible);
            if (from === undefined || to === undefined || this.contains(from, to) || this.contains(to, from)) {
                continue;
            }
            const id = pair(from, to);
            const group = groups.get(id) ?? { from, to, edges: [], isCycle: false };
            group.edges.push(edge);
            group.isCycle ||= this.inCycles.has(pair(edge.from, edge.to));
            groups.set(id, group);
        }
        return [...groups].map(([id, { from, to, edges, isCycle }]) => ({
            id,
            from,
            to,
            edges,
            isCycle,
            isNotify: edges.some((it) => it.kind === 'notify'),
            isAutomatic: edges.every((it) => it.isAutomatic),
        }));
    }

    /** Returns a resource or the innermost container around it that is shown. */
    private visible(reference: string, visible: Set<string>): string | undefined {
        let at: string | undefined = reference;
        while (at !== undefined && !visible.has(at)) {
            at = this.container(at);
        }
        return at;
    }

    /** Checks whether a resource is another one or contains it. */
    contains(outer: string, inner: string): boolean {
        let at: string | undefined = inner;
        while (at !== undefined && at !== outer) {
            at = this.container(at);
        }
        return at === outer;
    }
}

/** Adds a value to the list of a key. */
export function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
    const list = lists.get(key);
    if (list === undefined) {
        lists.set(key, [value]);
    } else {
        list.push(value);
    }
}

export function pair(from: string, to: string): string {
    return `${from}\n${to}`;
}
