// What the server's code lenses do when they are pressed: show places in the editor's own view.

import { commands, type Disposable } from 'vscode';
import type {
    ClientCapabilities,
    FeatureState,
    LanguageClient,
    Location,
    Position,
    StaticFeature,
} from 'vscode-languageclient/node';

/** The server names it in its lenses. */
const SHOW_REFERENCES = 'pupil.showReferences';

/** Tells the server that lenses can be pressed. */
export class ReferencesFeature implements StaticFeature {
    fillClientCapabilities(capabilities: ClientCapabilities): void {
        capabilities.experimental = {
            ...(capabilities.experimental as object | undefined),
            commands: { commands: [SHOW_REFERENCES] },
        };
    }

    initialize(): void {
        // The command is there all the time.
    }

    getState(): FeatureState {
        return { kind: 'static' };
    }

    clear(): void {
        // There is nothing to forget.
    }
}

export function registerReferences(client: () => LanguageClient | undefined): Disposable {
    const show = async (uri: string, position: Position, places: Location[]): Promise<void> => {
        const convert = client()?.protocol2CodeConverter;
        if (convert !== undefined) {
            await commands.executeCommand(
                'editor.action.showReferences',
                convert.asUri(uri),
                convert.asPosition(position),
                places.map((it) => convert.asLocation(it)),
            );
        }
    };
    return commands.registerCommand(SHOW_REFERENCES, show);
}
