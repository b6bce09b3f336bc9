// The type of the selection. Requests hovers at several positions in the selection, and prefers the hover
// whose range is exactly the selection.

import {
    type CancellationToken,
    type Hover,
    MarkdownString,
    Position,
    Range,
    type TextDocument,
} from 'vscode';
import { HoverRequest, type LanguageClient } from 'vscode-languageclient/node';

/** The maximum number of hover requests. */
const MAX_PLACES = 64;

/** Returns the hover of the selected expression, or of the smallest expression that contains it. */
export async function hoverOf(
    client: LanguageClient,
    document: TextDocument,
    selected: Range,
    token?: CancellationToken,
): Promise<Hover | undefined> {
    const range = trimmed(document, selected);
    let best: Hover | undefined;
    for (const place of places(document, range)) {
        const hover = await ask(client, document, place, token);
        if (hover?.range?.contains(range) !== true) {
            continue;
        }
        if (hover.range.isEqual(range)) {
            return hover;
        }
        if (best?.range === undefined || best.range.contains(hover.range)) {
            best = hover;
        }
    }
    return best;
}

export function textOf(hover: Hover): string {
    // The server returns Markdown.
    const parts = hover.contents.filter((it) => it instanceof MarkdownString);
    const lines = parts.flatMap((it) => it.value.split('\n'));
    return lines.filter((it) => !it.startsWith('```')).join('\n').trim();
}

async function ask(
    client: LanguageClient,
    document: TextDocument,
    place: Position,
    token?: CancellationToken,
): Promise<Hover | undefined> {
    const params = client.code2ProtocolConverter.asTextDocumentPositionParams(document, place);
    const answer = await client.sendRequest(HoverRequest.type, params, token);
    return client.protocol2CodeConverter.asHover(answer);
}

function trimmed(document: TextDocument, range: Range): Range {
    const text = document.getText(range);
    const start = document.offsetAt(range.start) + text.length - text.trimStart().length;
    const end = start + text.trim().length;
    return new Range(document.positionAt(start), document.positionAt(Math.max(start, end)));
}

/** Returns the positions where words and operators start. */
function places(document: TextDocument, range: Range): Position[] {
    const start = document.offsetAt(range.start);
    const words = document.getText(range).matchAll(/[$\w:]+|[^\s\w]/gu);
    const found = [...words].map((it) => document.positionAt(start + it.index));
    return found.length === 0 ? [range.start] : found.slice(0, MAX_PLACES);
}
