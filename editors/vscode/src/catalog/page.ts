// The page of the preview. Its script is `webview/main.ts`.

import { randomBytes } from 'node:crypto';
import { Uri, type Webview } from 'vscode';

/** Returns the HTML of the page, which loads nothing but its own script and styles. */
export function page(webview: Webview, dist: Uri): string {
    const nonce = randomBytes(16).toString('base64');
    const at = (name: string): string => webview.asWebviewUri(Uri.joinPath(dist, name)).toString();
    const policy = [
        "default-src 'none'",
        `script-src 'nonce-${nonce}'`,
        `style-src ${webview.cspSource}`,
        `font-src ${webview.cspSource}`,
    ].join('; ');
    // The graph library would add a style element with this id, which the policy forbids.
    return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link id="__________cytoscape_stylesheet" rel="stylesheet" href="${at('catalog.css')}">
<title>Catalog</title>
</head>
<body>
<header>
<h1 id="title">Catalog</h1>
<span id="summary"></span>
<button id="choose" class="link" title="Choose the node and the facts"></button>
<div id="tools">
<input id="search" type="search" placeholder="Search resources" aria-label="Search resources">
<button id="fit" title="Show the whole graph">Fit</button>
<button id="expand" title="Show the resources of all containers">Expand</button>
<button id="collapse" title="Hide the resources of all containers">Collapse</button>
<button id="larger" title="Zoom in" aria-label="Zoom in">+</button>
<button id="smaller" title="Zoom out" aria-label="Zoom out">−</button>
</div>
</header>
<div id="notice" role="status" hidden></div>
<main>
<div id="graph" role="img" aria-label="The graph of the catalog"></div>
<ul id="found" hidden></ul>
</main>
<aside id="details"></aside>
<script nonce="${nonce}" src="${at('catalog.js')}"></script>
</body>
</html>`;
}
