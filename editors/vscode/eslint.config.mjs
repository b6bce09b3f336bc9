import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const NODE = Object.fromEntries(
    ['process', 'console', 'URL', 'fetch', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'TextDecoder', 'URLSearchParams', 'Buffer', 'performance', 'require', 'module', 'exports', '__dirname'].map(
        (it) => [it, 'readonly'],
    ),
);

export default defineConfig(
    js.configs.recommended,
    {
        files: ['src/**/*.ts', 'webview/**/*.ts'],
        extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
        languageOptions: { parserOptions: { projectService: true } },
        rules: {
            '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
        },
    },
    { files: ['**/*.mjs', '**/*.cjs'], languageOptions: { globals: NODE } },
    // Parts of this file run in a page.
    { files: ['test/vscode/editor.mjs'], languageOptions: { globals: { document: 'readonly', requestIdleCallback: 'readonly' } } },
);
