// The command of the server's code lenses, which shows locations in the editor's reference view.

import { commands, type Disposable } from 'vscode';
import type {
    ClientCapabilities,
    FeatureState,
    LanguageClient,
    Location,
    Position,
    StaticFeature,
} from 'vscode-languageclient/node';

/** The command that the server puts in its code lenses. */
const SHOW_REFERENCES = 'pupil.showReferences';

/** Announces to the server that the client supports the command. */
export class ReferencesFeature implements StaticFeature {
    fillClientCapabilities(capabilities: ClientCapabilities): void {
        capabilities.experimental = {
            ...(capabilities.experimental as object | undefined),
            commands: { commands: [SHOW_REFERENCES] },
        };
    }

    initialize(): void {
        // The command is always registered.
    }

    getState(): FeatureState {
        return { kind: 'static' };
    }

    clear(): void {
        // The feature has no state.
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
