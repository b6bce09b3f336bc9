// The grammar of Puppet code blocks in Markdown documents.

const r = String.raw;

export const codeblock = {
    name: 'Puppet in Markdown',
    scopeName: 'markdown.puppet.codeblock',
    injectionSelector: 'L:text.html.markdown',
    patterns: [
        {
            begin: r`^(\s*)(\x60{3,}|~{3,})\s*(?i:puppet|pp)\b[^\x60~]*$`,
            end: r`^\s*(\2)\s*$`,
            beginCaptures: { 2: { name: 'punctuation.definition.markdown' } },
            endCaptures: { 1: { name: 'punctuation.definition.markdown' } },
            name: 'markup.fenced_code.block.markdown',
            contentName: 'meta.embedded.block.puppet',
            patterns: [{ include: 'source.puppet' }],
        },
    ],
};
