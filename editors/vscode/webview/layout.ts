// The positions of shown resources: each container by itself, the innermost first. Connected resources are in
// layers from left to right, the others in columns below them.

import { Graph, layout } from '@dagrejs/dagre';

import { simpleLayers } from './layers';
import { append, type Model, type ShownEdge } from './model';

export interface Size {
    readonly width: number;
    readonly height: number;
}

export interface Point {
    readonly x: number;
    readonly y: number;
}

/** The space between resources. */
const GAP = 16;
/** The space between layers. */
const LAYER_GAP = 44;
/** The space around what a container contains, with its label at the top. */
export const FRAME = 26;

/** The proportion of the columns of resources without edges. */
const ASPECT = 1.4;

/** The number of resources and edges in a container, and of resources in all, from which dagre takes too long. */
const MANY = 240;
const MANY_IN_ALL = 1000;

export interface Box extends Size {
    /** The upper left corners of the contents, relative to the box. */
    readonly inside: ReadonlyMap<string, Point>;
}

/** Returns the centers of the shown resources that are no open containers, which enclose what they contain. */
export function positions(
    model: Model,
    edges: readonly ShownEdge[],
    size: (reference: string) => Size,
): Map<string, Point> {
    const boxes = new Map<string, Box>();
    const limit = model.shown().length > MANY_IN_ALL ? 0 : MANY;
    const lifted = liftedEdges(model, edges);
    const place = (container: string | undefined, children: readonly string[]): Box => {
        for (const it of children) {
            boxes.set(it, model.isOpen(it) ? framed(place(it, model.inside(it)), size(it)) : { ...size(it), inside: new Map() });
        }
        return arranged(children, lifted.get(container) ?? [], (it) => boxes.get(it) ?? size(it), limit);
    };
    const all = place(undefined, model.top);
    const found = new Map<string, Point>();
    const assign = (box: Box, origin: Point): void => {
        for (const [reference, corner] of box.inside) {
            const at = { x: origin.x + corner.x, y: origin.y + corner.y };
            const inner = boxes.get(reference);
            if (inner === undefined) {
                continue;
            }
            if (inner.inside.size > 0) {
                assign(inner, at);
            } else {
                found.set(reference, { x: at.x + inner.width / 2, y: at.y + inner.height / 2 });
            }
        }
    };
    assign(all, { x: 0, y: 0 });
    return found;
}

/** Returns the edges between the resources of each container: the sides are those in the same container. */
function liftedEdges(model: Model, edges: readonly ShownEdge[]): Map<string | undefined, [string, string][]> {
    const found = new Map<string | undefined, [string, string][]>();
    for (const { from, to } of edges) {
        let left = from;
        for (;;) {
            const container = model.container(left);
            if (container === undefined || model.contains(container, to)) {
                break;
            }
            left = container;
        }
        const container = model.container(left);
        let right = to;
        while (model.container(right) !== container) {
            right = model.container(right) ?? right;
        }
        append(found, container, [left, right]);
    }
    return found;
}

function framed(box: Box, label: Size): Box {
    const inside = [...box.inside].map(([it, { x, y }]): [string, Point] => [it, { x: x + FRAME, y: y + FRAME }]);
    return {
        width: Math.max(box.width, label.width) + 2 * FRAME,
        height: box.height + 2 * FRAME,
        inside: new Map(inside),
    };
}

function arranged(
    children: readonly string[],
    edges: readonly (readonly [string, string])[],
    size: (reference: string) => Size,
    limit: number,
): Box {
    const connected = new Set(edges.flat());
    const layers = layered(children.filter((it) => connected.has(it)), edges, size, limit);
    const single = columns(children.filter((it) => !connected.has(it)), size, layers.width);
    const down = layers.height === 0 ? 0 : layers.height + GAP;
    const inside = new Map(layers.inside);
    for (const [it, { x, y }] of single.inside) {
        inside.set(it, { x, y: y + down });
    }
    return {
        width: Math.max(layers.width, single.width),
        height: single.height === 0 ? layers.height : down + single.height,
        inside,
    };
}

function layered(
    children: readonly string[],
    edges: readonly (readonly [string, string])[],
    size: (reference: string) => Size,
    limit: number,
): Box {
    if (children.length === 0) {
        return { width: 0, height: 0, inside: new Map() };
    }
    if (children.length + edges.length > limit) {
        return simpleLayers(children, edges, size, [GAP, LAYER_GAP]);
    }
    const graph = new Graph();
    graph.setGraph({ rankdir: 'LR', nodesep: GAP, ranksep: LAYER_GAP, edgesep: GAP / 2 });
    graph.setDefaultEdgeLabel(() => ({}));
    for (const it of children) {
        const { width, height } = size(it);
        graph.setNode(it, { width, height });
    }
    for (const [from, to] of edges) {
        graph.setEdge(from, to);
    }
    layout(graph);
    const inside = new Map<string, Point>();
    let [width, height] = [0, 0];
    const corners = children.map((it) => {
        const { x, y } = graph.node(it) as Point;
        const own = size(it);
        return { it, x: x - own.width / 2, y: y - own.height / 2, own };
    });
    const left = Math.min(...corners.map(({ x }) => x));
    const top = Math.min(...corners.map(({ y }) => y));
    for (const { it, x, y, own } of corners) {
        inside.set(it, { x: x - left, y: y - top });
        width = Math.max(width, x - left + own.width);
        height = Math.max(height, y - top + own.height);
    }
    return { width, height, inside };
}

/** Arranges resources without edges in columns, as wide as the layers or in a readable proportion. */
function columns(children: readonly string[], size: (reference: string) => Size, wanted: number): Box {
    const area = children.reduce((sum, it) => sum + (size(it).width + GAP) * (size(it).height + GAP), 0);
    const least = Math.max(wanted, Math.sqrt(area * ASPECT));
    const width = children.reduce((most, it) => Math.max(most, size(it).width), least);
    const inside = new Map<string, Point>();
    let [x, y, row, right] = [0, 0, 0, 0];
    for (const it of children) {
        const own = size(it);
        if (x > 0 && x + own.width > width) {
            y += row + GAP;
            [x, row] = [0, 0];
        }
        inside.set(it, { x, y });
        right = Math.max(right, x + own.width);
        row = Math.max(row, own.height);
        x += own.width + GAP;
    }
    return { width: right, height: children.length === 0 ? 0 : y + row, inside };
}
