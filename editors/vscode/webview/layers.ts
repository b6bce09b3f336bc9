// Layers of many connected resources, in nearly linear time. Tall layers take several columns.

import type { Box, Point, Size } from './layout';
import { append } from './model';

type Edges = readonly (readonly [string, string])[];

/** Arranges resources in layers from left to right, so that edges lead to the right unless they are in a cycle. */
export function simpleLayers(
    children: readonly string[],
    edges: Edges,
    size: (reference: string) => Size,
    [gap, layerGap]: readonly [number, number],
): Box {
    const area = children.reduce((sum, it) => sum + (size(it).width + gap) * (size(it).height + gap), 0);
    const tallest = children.reduce((most, it) => Math.max(most, size(it).height), Math.sqrt(area));
    const inside = new Map<string, Point>();
    let [x, height] = [0, 0];
    for (const layer of layersOf(children, edges)) {
        let [y, width] = [0, 0];
        for (const it of layer) {
            const own = size(it);
            if (y > 0 && y + own.height > tallest) {
                x += width + gap;
                [y, width] = [0, 0];
            }
            inside.set(it, { x, y });
            width = Math.max(width, own.width);
            y += own.height + gap;
            height = Math.max(height, y - gap);
        }
        x += width + layerGap;
    }
    return { width: x - layerGap, height, inside };
}

/** Returns the layers, each sorted by the places of the resources before. */
function layersOf(children: readonly string[], edges: Edges): string[][] {
    const targets = new Map<string, string[]>();
    const pending = new Map(children.map((it) => [it, 0]));
    for (const [from, to] of edges) {
        append(targets, from, to);
        pending.set(to, (pending.get(to) ?? 0) + 1);
    }
    const layers: string[][] = [];
    let start = 0;
    let layer = children.filter((it) => pending.get(it) === 0);
    for (;;) {
        if (layer.length === 0) {
            // What is left has a cycle: one of its resources comes first.
            while (start < children.length && !pending.has(children[start] ?? '')) {
                start += 1;
            }
            const first = children[start];
            if (first === undefined) {
                return layers;
            }
            layer = [first];
        }
        layers.push(layer);
        layer.forEach((it) => pending.delete(it));
        const following: string[] = [];
        for (const it of layer.flatMap((from) => targets.get(from) ?? [])) {
            const left = pending.get(it);
            if (left !== undefined) {
                pending.set(it, left - 1);
                if (left === 1) {
                    following.push(it);
                }
            }
        }
        layer = following;
    }
}
