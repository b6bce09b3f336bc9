// The grammar of Puppetfiles: the subset of Ruby that they use.

const r = String.raw;

const string = (sign, kind, patterns) => ({
    begin: sign,
    end: sign,
    name: `string.quoted.${kind}.puppetfile`,
    patterns,
});

const repository = {
    code: {
        patterns: [
            { name: 'comment.line.number-sign.puppetfile', match: '#.*$' },
            string("'", 'single', [
                { name: 'constant.character.escape.puppetfile', match: r`\\[\\']` },
            ]),
            string('"', 'double', [
                { name: 'constant.character.escape.puppetfile', match: r`\\.` },
                {
                    begin: r`#\{`,
                    end: r`\}`,
                    name: 'meta.embedded.interpolation.puppetfile',
                    patterns: [{ include: '#code' }],
                },
            ]),
            { name: 'entity.name.function.puppetfile', match: r`^\s*(?:mod|forge|moduledir)\b` },
            { name: 'constant.other.symbol.puppetfile', match: r`(?<!:):[a-z_]\w*[?!]?` },
            { name: 'constant.other.symbol.puppetfile', match: r`\b[a-z_]\w*:(?!:)` },
            {
                name: 'keyword.control.puppetfile',
                match: r`\b(?:and|begin|case|def|do|else|elsif|end|ensure|for|if|in|module|next|not|or|rescue|return|then|unless|until|when|while|yield)\b`,
            },
            { name: 'constant.language.puppetfile', match: r`\b(?:true|false|nil)\b` },
            { name: 'constant.numeric.puppetfile', match: r`\b\d[\d_]*(?:\.\d+)?\b` },
            { name: 'entity.name.type.puppetfile', match: r`\b[A-Z]\w*\b` },
            { name: 'keyword.operator.puppetfile', match: r`=>|[=!<>]=|=~|&&|\|\||[-+*/%=<>!?|]` },
        ],
    },
};

export const puppetfile = {
    name: 'Puppetfile',
    scopeName: 'source.puppetfile',
    fileTypes: ['Puppetfile'],
    patterns: [{ include: '#code' }],
    repository,
};
