// The details of a resource: its parameters with where each value comes from, and its dependencies. Without a
// resource: cycles and unknown parts.

import type { Edge, Parameter, Place, Resource } from '../src/catalog/protocol';
import type { Model } from './model';

/** The maximum number of dependencies in a list. */
const MAX_EDGES = 50;

export interface Actions {
    readonly open: (place: Place) => void;
    readonly select: (reference: string) => void;
    readonly toggle: (reference: string) => void;
}

/** Describes the places of origins. */
const ORIGINS: Readonly<Record<string, string>> = {
    declaration: '',
    default: 'default',
    'resource-default': 'resource default',
    override: 'override',
    data: 'Hiera',
    relationship: 'relationship',
};

export function resourceDetails(model: Model, resource: Resource, actions: Actions): HTMLElement[] {
    const { reference } = resource;
    const heading = element('h2', '', link(reference, resource, actions));
    const parts = [heading, element('p', 'states', states(model, resource, actions))];
    const parameters = resource.parameters.filter((it) => it.origin !== 'title');
    if (parameters.length > 0) {
        const rows = parameters.map((it) => parameterRow(it, resource, actions));
        parts.push(element('table', '', ...rows));
    }
    const { edges } = model.catalog;
    const list = (title: string, found: readonly Edge[], other: 'from' | 'to'): void => {
        if (found.length > 0) {
            const items = found.slice(0, MAX_EDGES).map((it) => edgeItem(it, it[other], actions));
            const more = found.length > MAX_EDGES ? [element('li', 'origin', `${found.length - MAX_EDGES} more`)] : [];
            parts.push(element('h3', '', title), element('ul', '', ...items, ...more));
        }
    };
    list('After', edges.filter((it) => it.to === reference), 'from');
    list('Before', edges.filter((it) => it.from === reference), 'to');
    return parts;
}

export function catalogDetails(model: Model, actions: Actions): HTMLElement[] {
    const { cycles, gaps } = model.catalog;
    const parts: HTMLElement[] = [];
    if (cycles.length > 0) {
        const items = cycles.map((path) => {
            const links = [...path, ...path.slice(0, 1)].map((it) => button(it, () => { actions.select(it); }));
            return element('li', 'cycle', ...links.flatMap((it, at) => (at === 0 ? [it] : [' ⇒ ', it])));
        });
        parts.push(element('h3', '', 'Dependency cycles'), element('ul', '', ...items));
    }
    if (gaps.length > 0) {
        const items = gaps.map((it) => element('li', '', link(it.reason, it, actions), ' ', origin(place(it))));
        const title = 'Unknown parts: this code may add resources or parameters';
        parts.push(element('h3', '', title), element('ul', '', ...items));
    }
    return parts;
}

function states(model: Model, resource: Resource, actions: Actions): HTMLElement {
    const words = [
        possibility(resource),
        resource.isExported ? 'exported' : '',
        resource.isVirtual && !resource.isExported ? 'virtual' : '',
        model.isInCycle(resource.reference) ? 'in a dependency cycle' : '',
    ].filter((it) => it !== '');
    const found = element('span', '', words.join(', '));
    const separate = (): void => {
        if (found.textContent !== '') {
            found.append(' · ');
        }
    };
    const container = model.container(resource.reference);
    if (container !== undefined) {
        separate();
        found.append('in ', button(container, () => { actions.select(container); }));
    }
    if (model.isContainer(resource.reference)) {
        separate();
        const count = model.count(resource.reference);
        const text = `${model.isOpen(resource.reference) ? 'Collapse' : 'Expand'} ${count} ${count === 1 ? 'resource' : 'resources'}`;
        found.append(button(text, () => { actions.toggle(resource.reference); }));
    }
    return found;
}

function parameterRow(parameter: Parameter, resource: Resource, actions: Actions): HTMLElement {
    const value = element('td', parameter.isKnown ? 'value' : 'value unknown', parameter.value);
    const kind = ORIGINS[parameter.origin] ?? parameter.origin;
    const where = parameter.uri === resource.uri ? lineOf(parameter) : place(parameter);
    const hiera = parameter.key !== null && parameter.uri === undefined ? parameter.key : where;
    const text = [kind, hiera].filter((it) => it !== '').join(', ');
    return element('tr', '', element('th', '', parameter.name), value, element('td', 'origin', link(text, parameter, actions)));
}

function edgeItem(edge: Edge, other: string, actions: Actions): HTMLElement {
    const notes = [edge.kind === 'notify' ? 'notify' : '', edge.isAutomatic ? 'automatic' : ''];
    const note = notes.filter((it) => it !== '').join(', ');
    const parts: (HTMLElement | string)[] = [button(other, () => { actions.select(other); }), ' ', origin(note)];
    if (edge.uri !== undefined) {
        parts.push(' ', element('span', 'origin', link(place(edge), edge, actions)));
    }
    return element('li', '', ...parts);
}

function origin(text: string): HTMLElement {
    return element('span', 'origin', text);
}

function lineOf({ range }: Place): string {
    return range === undefined ? '' : `line ${range.start.line + 1}`;
}

function place(at: Place): string {
    const name = at.uri === undefined ? '' : decodeURIComponent(at.uri.split('/').slice(-2).join('/'));
    return at.range === undefined ? name : `${name}:${at.range.start.line + 1}`;
}

/** Creates a link to code or data, or plain text if there is no place. */
export function link(text: string, at: Place, actions: Pick<Actions, 'open'>): HTMLElement {
    if (at.uri === undefined || at.range === undefined) {
        return element('span', '', text);
    }
    const made = button(text, () => { actions.open(at); });
    made.title = place(at);
    return made;
}

export function button(text: string, action: () => void): HTMLButtonElement {
    const made = document.createElement('button');
    made.className = 'link';
    made.type = 'button';
    made.append(text);
    made.addEventListener('click', action);
    return made;
}

export function element(name: string, style: string, ...content: (Node | string)[]): HTMLElement {
    const made = document.createElement(name);
    if (style !== '') {
        made.className = style;
    }
    made.append(...content);
    return made;
}

/** Returns the words for a resource that may not be declared. */
function possibility(resource: Resource): string {
    if (resource.isCertain) {
        return '';
    }
    return resource.condition === null ? 'possible' : `possible, if ${resource.condition}`;
}
