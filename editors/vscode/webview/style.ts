// The appearance of the graph, in the colors of the editor's theme.

import type { StylesheetJson } from 'cytoscape';

import { FRAME } from './layout';

export const FONT_SIZE = 12;

/** Returns a color of the theme. */
function color(...names: string[]): string {
    const style = getComputedStyle(document.documentElement);
    const values = names.map((it) => style.getPropertyValue(`--vscode-${it}`).trim());
    return values.find((it) => it !== '') ?? 'gray';
}

/** Returns the font of the labels. */
export function fontFamily(): string {
    return getComputedStyle(document.body).fontFamily;
}

export function graphStyle(): StylesheetJson {
    const text = color('editor-foreground', 'foreground');
    const quiet = color('descriptionForeground', 'foreground');
    const fill = color('editorWidget-background', 'editor-background');
    const accent = color('focusBorder', 'textLink-foreground');
    const red = color('editorError-foreground', 'errorForeground');
    const orange = color('charts-orange', 'editorWarning-foreground');
    const purple = color('charts-purple', 'foreground');
    const blue = color('charts-blue', 'textLink-foreground');
    return [
        {
            selector: 'node',
            style: {
                shape: 'round-rectangle',
                width: 'data(width)',
                height: 'data(height)',
                label: 'data(label)',
                color: text,
                'font-size': FONT_SIZE,
                'font-family': fontFamily(),
                'min-zoomed-font-size': 4,
                'text-valign': 'center',
                'text-halign': 'center',
                'background-color': fill,
                'border-width': 1,
                'border-color': blue,
            },
        },
        { selector: 'node.container', style: { 'border-color': purple, 'font-weight': 'bold' } },
        {
            selector: 'node:parent',
            style: {
                'background-opacity': 0.35,
                padding: `${FRAME}px`,
                'text-valign': 'top',
                'text-halign': 'center',
                'text-margin-y': 20,
                'min-width': 'data(width)',
                'min-width-bias-left': '0%',
                'min-width-bias-right': '100%',
            },
        },
        { selector: 'node.possible', style: { 'border-style': 'dashed', 'border-color': quiet, color: quiet } },
        { selector: 'node.virtual', style: { 'border-style': 'dotted', 'border-color': quiet, color: quiet } },
        { selector: 'node.cycle', style: { 'border-color': red, 'border-width': 2 } },
        { selector: 'node:selected', style: { 'border-color': accent, 'border-width': 3 } },
        { selector: 'node.faded', style: { opacity: 0.3 } },
        {
            selector: 'edge',
            style: {
                width: 1.4,
                'curve-style': 'bezier',
                'line-color': quiet,
                'target-arrow-color': quiet,
                'target-arrow-shape': 'triangle',
                'arrow-scale': 0.9,
            },
        },
        { selector: 'edge.notify', style: { 'line-color': orange, 'target-arrow-color': orange } },
        { selector: 'edge.automatic', style: { 'line-style': 'dotted' } },
        { selector: 'edge.cycle', style: { 'line-color': red, 'target-arrow-color': red, width: 2.5 } },
        { selector: 'edge.faded', style: { opacity: 0.2 } },
        { selector: 'edge:selected', style: { width: 3 } },
    ];
}

/** Calls back when the user chooses another theme. */
export function onThemeChange(action: () => void): void {
    new MutationObserver(action).observe(document.body, { attributes: true, attributeFilter: ['class'] });
}
