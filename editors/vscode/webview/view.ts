// The graph on the page.

import cytoscape, { type Core, type ElementDefinition, type NodeSingular } from 'cytoscape';

import type { Catalog, Resource } from '../src/catalog/protocol';
import { positions, type Size } from './layout';
import { Model, type ShownEdge } from './model';
import { FONT_SIZE, fontFamily, graphStyle, onThemeChange } from './style';

/** The maximum number of characters of a label. */
const MAX_LABEL = 40;

const HEIGHT = 28;

/** The limits of the zoom, and that of showing the whole graph. */
const ZOOM = { minZoom: 0.02, maxZoom: 3 };
const MAX_FIT = 1.2;
const FIT_PADDING = 12;

export class GraphView {
    private readonly cy: Core;
    private readonly canvas = document.createElement('canvas').getContext('2d');
    /** Whether containers are open, as far as the user has chosen. */
    private open = new Map<string, boolean>();
    private model: Model | undefined;
    private selected: string | undefined;

    constructor(
        container: HTMLElement,
        private readonly onSelect: (resource: Resource | undefined) => void,
        private readonly onOpen: (resource: Resource) => void,
    ) {
        this.cy = cytoscape({
            container,
            style: graphStyle(),
            layout: { name: 'preset' },
            boxSelectionEnabled: false,
            autoungrabify: true,
            hideEdgesOnViewport: true,
            textureOnViewport: true,
            ...ZOOM,
        });
        this.cy.on('tap', (event) => {
            if (event.target === this.cy) {
                this.select(undefined);
            }
        });
        this.cy.on('tap', 'node', (event) => {
            const reference = (event.target as NodeSingular).id();
            this.select(reference);
            const resource = this.model?.resources.get(reference);
            if (resource !== undefined) {
                this.onOpen(resource);
            }
        });
        this.cy.on('dbltap', 'node', (event) => {
            this.toggle((event.target as NodeSingular).id());
        });
        onThemeChange(() => this.cy.style(graphStyle()));
    }

    get current(): Model | undefined {
        return this.model;
    }

    /** Shows a catalog. That of the same code keeps the view. */
    show(catalog: Catalog): void {
        const before = this.model?.catalog;
        const isSame = before?.title === catalog.title && before.uri === catalog.uri;
        if (!isSame) {
            this.open = new Map<string, boolean>();
            this.selected = undefined;
        }
        this.model = new Model(catalog, this.open, isSame ? this.model : undefined);
        this.draw();
        if (!isSame) {
            this.fit();
        }
        this.select(this.selected);
    }

    fit(): void {
        this.cy.resize();
        // Labels are inside of their nodes.
        const { x1, y1, w, h } = this.cy.nodes().boundingBox({ includeLabels: false, includeOverlays: false });
        const { width, height } = { width: this.cy.width(), height: this.cy.height() };
        const zoom = Math.min((width - 2 * FIT_PADDING) / w, (height - 2 * FIT_PADDING) / h, MAX_FIT);
        if (Number.isFinite(zoom) && zoom > 0) {
            const pan = { x: width / 2 - (x1 + w / 2) * zoom, y: height / 2 - (y1 + h / 2) * zoom };
            this.cy.viewport({ zoom, pan });
        }
    }

    zoom(factor: number): void {
        const center = { x: this.cy.width() / 2, y: this.cy.height() / 2 };
        this.cy.zoom({ level: this.cy.zoom() * factor, renderedPosition: center });
    }

    resize(): void {
        this.cy.resize();
    }

    setAllOpen(isOpen: boolean): void {
        this.model?.setAllOpen(isOpen);
        this.draw();
        this.fit();
    }

    toggle(reference: string): void {
        if (this.model?.isContainer(reference) !== true) {
            return;
        }
        this.model.setOpen(reference, !this.model.isOpen(reference));
        // The container stays where it is on the screen.
        const before = this.cy.getElementById(reference).renderedPosition();
        this.draw();
        const after = this.cy.getElementById(reference).renderedPosition();
        this.cy.panBy({ x: before.x - after.x, y: before.y - after.y });
        this.select(this.selected);
    }

    /** Selects a resource, and shows it even if its containers are collapsed. */
    reveal(reference: string): void {
        if (this.model?.resources.has(reference) !== true) {
            return;
        }
        this.model.show(reference);
        this.draw();
        this.select(reference);
        this.cy.center(this.cy.getElementById(reference));
    }

    select(reference: string | undefined): void {
        const resource = reference === undefined ? undefined : this.model?.resources.get(reference);
        this.selected = resource?.reference;
        this.cy.batch(() => {
            this.cy.elements(':selected').unselect();
            if (resource !== undefined) {
                this.cy.getElementById(resource.reference).select();
            }
        });
        this.onSelect(resource);
    }

    /** Returns the resources whose references contain a text, and fades the others. */
    search(text: string): string[] {
        const wanted = text.trim().toLowerCase();
        const model = this.model;
        if (wanted === '' || model === undefined) {
            this.cy.elements().removeClass('faded');
            return [];
        }
        const found = [...model.resources.keys()].filter((it) => it.toLowerCase().includes(wanted));
        this.cy.batch(() => {
            this.cy.nodes().forEach((node) => {
                const isFound = found.some((it) => model.contains(node.id(), it));
                node.toggleClass('faded', !isFound);
            });
            this.cy.edges().addClass('faded');
        });
        return found;
    }

    private draw(): void {
        const { model } = this;
        if (model === undefined) {
            return;
        }
        const shown = model.shown();
        const edges = model.shownEdges();
        const sizes = new Map(shown.map((it) => [it, this.size(label(model, it), model.isContainer(it))]));
        const at = positions(model, edges, (it) => sizes.get(it) ?? { width: 0, height: HEIGHT });
        const nodes = shown.map((it): ElementDefinition => {
            const parent = model.container(it);
            const position = at.get(it);
            return {
                group: 'nodes',
                data: { id: it, label: label(model, it), ...sizes.get(it), ...(parent === undefined ? {} : { parent }) },
                classes: classes(model, it),
                ...(position === undefined ? {} : { position }),
            };
        });
        const { zoom, pan } = { zoom: this.cy.zoom(), pan: { ...this.cy.pan() } };
        this.cy.batch(() => {
            this.cy.elements().remove();
            this.cy.add([...nodes, ...edges.map(edgeElement)]);
        });
        this.cy.viewport({ zoom, pan });
        if (this.selected !== undefined) {
            this.cy.getElementById(this.selected).select();
        }
    }

    private size(text: string, isContainer: boolean): Size {
        if (this.canvas !== null) {
            this.canvas.font = `${isContainer ? 'bold ' : ''}${FONT_SIZE}px ${fontFamily()}`;
        }
        const width = this.canvas?.measureText(text).width ?? text.length * 7;
        return { width: Math.ceil(width) + 20, height: HEIGHT };
    }
}

function label(model: Model, reference: string): string {
    const short = shortened(reference);
    if (!model.isContainer(reference)) {
        return short;
    }
    return model.isOpen(reference) ? `▾ ${short}` : `▸ ${short} (${model.count(reference)})`;
}

/** Cuts the middle of a long reference. */
function shortened(reference: string): string {
    const text = reference.replaceAll(/\s+/gu, ' ');
    if (text.length <= MAX_LABEL) {
        return text;
    }
    const end = Math.floor(MAX_LABEL / 2);
    return `${text.slice(0, MAX_LABEL - end - 1)}…${text.slice(-end)}`;
}

function classes(model: Model, reference: string): string[] {
    const resource = model.resources.get(reference);
    const found: [string, boolean][] = [
        ['container', model.isContainer(reference) || resource?.type === 'Class' || resource?.type === 'Node'],
        ['possible', resource?.isCertain === false],
        ['virtual', resource?.isVirtual === true],
        ['cycle', model.isInCycle(reference)],
    ];
    return found.filter(([, has]) => has).map(([name]) => name);
}

function edgeElement(edge: ShownEdge): ElementDefinition {
    const found: [string, boolean][] = [
        ['notify', edge.isNotify],
        ['automatic', edge.isAutomatic],
        ['cycle', edge.isCycle],
    ];
    return {
        group: 'edges',
        data: { id: edge.id, source: edge.from, target: edge.to },
        classes: found.filter(([, has]) => has).map(([name]) => name),
    };
}
