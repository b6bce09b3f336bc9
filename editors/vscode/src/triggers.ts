// The typed characters that open the completion list.

import type { Position, TextDocument } from 'vscode';

/** The text before a colon that opens the list: of a qualified name, or of the rules in a comment. */
const COLON = /::$|lint:ignore:$/u;

/** The text before a space that opens the list of values. After a comparison, there may be none. */
const SPACE = /(?:=>|==|!=) +$/u;

/**
 * Checks whether a typed character can open the completion list. The server decides the same, but later: until it
 * answers, VS Code shows the candidates of the previous word, and accepts one on Enter.
 */
export function opensCompletion(document: TextDocument, position: Position, typed: string | undefined): boolean {
    const before = document.lineAt(position.line).text.slice(0, position.character);
    switch (typed) {
        case ':':
            return COLON.test(before);
        case ' ':
            return !['puppet', 'epp'].includes(document.languageId) || SPACE.test(before);
        default:
            return true;
    }
}
