// The grammar of EPP templates: text with Puppet code between `<%` and `%>`.

const r = String.raw;

const tag = (part) => ({ 0: { name: `punctuation.section.embedded.${part}.epp` } });

export const epp = {
    name: 'Embedded Puppet',
    scopeName: 'text.epp',
    fileTypes: ['epp'],
    patterns: [
        { name: 'constant.character.escape.epp', match: '<%%|%%>' },
        { name: 'comment.block.epp', begin: '<%#', end: '-?%>' },
        {
            begin: '<%[-=]?',
            end: '-?%>',
            beginCaptures: tag('begin'),
            endCaptures: tag('end'),
            name: 'meta.embedded.epp',
            contentName: 'source.puppet',
            patterns: [
                // A block may be opened in one tag and closed in another.
                { match: r`[{}]` },
                { include: 'source.puppet' },
            ],
        },
    ],
};
