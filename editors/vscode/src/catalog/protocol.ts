// The catalog as the server sends it, and the messages between the preview and its page.

import type { Range } from 'vscode-languageclient';

export const CATALOG_REQUEST = 'pupil/catalog';
export const CHOICES_REQUEST = 'pupil/catalogChoices';

/** The location of code or data; the fields are missing if there is none. */
export interface Place {
    readonly uri?: string;
    readonly range?: Range;
}

export interface Catalog {
    readonly title: string;
    /** The fact set; `null` if facts are unknown. */
    readonly facts: string | null;
    /** Whether the server chose the facts. */
    readonly hasDefaultFacts: boolean;
    readonly uri: string;
    /** The name of the class or node. */
    readonly range: Range;
    readonly definition: Range;
    /** The numbers of resources; `null` if Puppet rejects the catalog. */
    readonly summary: string | null;
    readonly errors: readonly CatalogError[];
    readonly resources: readonly Resource[];
    readonly edges: readonly Edge[];
    readonly cycles: readonly (readonly string[])[];
    readonly gaps: readonly Gap[];
}

export interface CatalogError extends Place {
    readonly message: string;
}

export interface Resource extends Place {
    readonly reference: string;
    readonly type: string;
    readonly title: string;
    readonly container: string | null;
    readonly isCertain: boolean;
    /** The conditions under which it is declared, if it is not certain. */
    readonly condition: string | null;
    readonly isVirtual: boolean;
    readonly isExported: boolean;
    readonly parameters: readonly Parameter[];
}

export interface Parameter extends Place {
    readonly name: string;
    readonly value: string;
    readonly isKnown: boolean;
    readonly origin: string;
    readonly key: string | null;
}

export interface Edge extends Place {
    readonly from: string;
    readonly to: string;
    readonly kind: 'before' | 'notify';
    readonly isAutomatic: boolean;
}

export interface Gap extends Place {
    readonly reason: string;
}

/** The names that the server accepts. */
export interface Choices {
    readonly facts: readonly string[];
    /** The fact set for requests that choose none; `null` if facts are unknown then. */
    readonly defaultFacts: string | null;
    readonly nodes: readonly string[];
}

/** The node and the facts that catalogs are compiled for. */
export interface Choice {
    /** The fact set; `null` for unknown facts. Without it, the server chooses. */
    readonly facts?: string | null;
    readonly node?: string;
}

/** A message to the page. */
export type ToPage =
    | { readonly kind: 'catalog'; readonly catalog: Catalog }
    /** Puppet rejects the catalog: the page keeps the last one. */
    | { readonly kind: 'errors'; readonly title: string; readonly errors: readonly CatalogError[] }
    | { readonly kind: 'notice'; readonly message: string }
    | { readonly kind: 'choice'; readonly label: string };

/** A message of the page. */
export type FromPage =
    | { readonly kind: 'ready' }
    | { readonly kind: 'open'; readonly uri: string; readonly range: Range }
    | { readonly kind: 'choose' };
