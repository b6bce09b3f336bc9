// The script of the catalog preview. It draws what the extension sends, and sends back what the user clicks.

import type { FromPage, Place, ToPage } from '../src/catalog/protocol';
import { type Actions, button, catalogDetails, element, link, resourceDetails } from './details';
import { GraphView } from './view';

declare function acquireVsCodeApi(): { postMessage(message: FromPage): void };

/** The maximum number of results of a search. */
const MAX_FOUND = 100;

const ZOOM_STEP = 1.3;

const extension = acquireVsCodeApi();
const byId = (id: string): HTMLElement => document.getElementById(id) ?? document.body;
const search = byId('search') as HTMLInputElement;
const notice = byId('notice');
const details = byId('details');
const found = byId('found');

const open = ({ uri, range }: Place): void => {
    if (uri !== undefined && range !== undefined) {
        extension.postMessage({ kind: 'open', uri, range });
    }
};

const graph = new GraphView(
    byId('graph'),
    (resource) => {
        const model = graph.current;
        if (model === undefined) {
            return;
        }
        const content = resource === undefined ? catalogDetails(model, actions) : resourceDetails(model, resource, actions);
        const hint = element('p', '', 'Click a resource to see its parameters. Double-click a container to expand or collapse it.');
        details.replaceChildren(...(content.length === 0 ? [hint] : content));
    },
    open,
);

const actions: Actions = {
    open,
    select: (reference) => {
        graph.reveal(reference);
    },
    toggle: (reference) => {
        graph.toggle(reference);
    },
};

function receive(message: ToPage): void {
    switch (message.kind) {
        case 'catalog':
            byId('title').textContent = message.catalog.title;
            byId('summary').textContent = message.catalog.summary ?? '';
            hideNotice();
            graph.show(message.catalog);
            showFound();
            break;
        case 'errors': {
            const items = message.errors.map((it) => element('li', '', link(it.message, it, { open })));
            const last = graph.current === undefined ? '' : ' The graph is that of the last catalog.';
            showNotice(`Puppet rejects ${message.title}.${last}`, items);
            break;
        }
        case 'notice':
            showNotice(message.message, []);
            break;
        case 'choice':
            byId('choose').textContent = message.label;
            break;
    }
}

function showNotice(text: string, items: readonly HTMLElement[]): void {
    notice.replaceChildren(element('span', '', text), ...(items.length > 0 ? [element('ul', '', ...items)] : []));
    notice.hidden = false;
    document.body.classList.add('outdated');
    graph.resize();
}

function hideNotice(): void {
    notice.hidden = true;
    document.body.classList.remove('outdated');
    graph.resize();
}

/** Lists the results of the search. */
function showFound(): void {
    const results = graph.search(search.value);
    const items = results.slice(0, MAX_FOUND).map((it) => element('li', '', button(it, () => { choose(it); })));
    if (results.length > MAX_FOUND) {
        items.push(element('li', 'origin', `${results.length - MAX_FOUND} more`));
    }
    if (results.length === 0 && search.value.trim() !== '') {
        items.push(element('li', 'origin', 'No resource found'));
    }
    found.replaceChildren(...items);
    found.hidden = items.length === 0;
}

/** Selects a result, and shows its code. */
function choose(reference: string): void {
    search.value = '';
    showFound();
    graph.reveal(reference);
    open(graph.current?.resources.get(reference) ?? {});
}

function onClick(id: string, action: () => void): void {
    byId(id).addEventListener('click', action);
}

onClick('choose', () => { extension.postMessage({ kind: 'choose' }); });
onClick('fit', () => { graph.fit(); });
onClick('expand', () => { graph.setAllOpen(true); });
onClick('collapse', () => { graph.setAllOpen(false); });
onClick('larger', () => { graph.zoom(ZOOM_STEP); });
onClick('smaller', () => { graph.zoom(1 / ZOOM_STEP); });
search.addEventListener('input', showFound);
search.addEventListener('keydown', (event) => {
    const first = graph.search(search.value)[0];
    if (event.key === 'Enter' && first !== undefined) {
        choose(first);
    } else if (event.key === 'Escape') {
        search.value = '';
        showFound();
    }
});
window.addEventListener('message', (event: MessageEvent<ToPage>) => { receive(event.data); });
window.addEventListener('resize', () => { graph.resize(); });
extension.postMessage({ kind: 'ready' });
