// The grammar of manifests.
//
// Brackets do not open a scope, so that a missing one does not affect the rest of the file. Brackets are
// counted only inside constructs with their own end (interpolations, selectors, collectors), with the rules
// of `nested`.

const r = String.raw;

/** A lower-case name, optionally qualified. */
const NAME = r`(?:::)?[a-z]\w*(?:::[a-z]\w*)*`;
/** A bare word: an unquoted string. */
const WORD = r`(?:::)?[a-z_]\w*(?:::[a-z_]\w*)*(?:-+\w+)*`;
const TYPE = r`(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*`;
const VARIABLE = r`\$(?:::)?(?:\w+::)*\w+`;
/** A word must not follow any of these characters. */
const FREE = r`(?<![\w$:-])`;
/** The same for keywords. */
const ALONE = r`(?<![\w$:.-])`;
/** The start of a statement. */
const STATEMENT = r`(?:^|(?<=[{};])|(?<=\|)(?<!<\|))\s*`;

const KEYWORDS = 'and|case|class|define|else|elsif|function|if|in|inherits|node|or|plan|type|unless';
/** Functions that can be called without parentheses. */
const STATEMENT_CALLS =
    'break|contain|debug|emerg|alert|crit|err|fail|import|include|info|next|notice|realize|require|return|tag|warning';

const include = (...names) => names.map((it) => ({ include: `#${it}` }));

const scope = (name) => ({ name: `${name}.puppet` });

const ESCAPE = r`\\(?:u\{\h{1,6}\}|u\h{4}|["'\\$nrts]|$)`;

/** A heredoc. Its text starts on the line after its tag, so the rest of the line is matched first. */
const heredoc = (tag, kind, inside) => ({
    begin: `@\\(\\s*${tag}\\s*(?::[^/)\\n]*)?(?:/[^)\\n]*)?\\)`,
    beginCaptures: { 0: scope('keyword.control.heredoc') },
    // The text ends at a line that ends with the tag.
    end: r`([|]?)[ \t]*(-?)[ \t]*(\1)[ \t]*$`,
    endCaptures: {
        1: scope('keyword.operator.heredoc'),
        2: scope('keyword.operator.heredoc'),
        3: scope('keyword.control.heredoc'),
    },
    contentName: `string.unquoted.heredoc.${kind}.puppet`,
    patterns: [
        {
            begin: r`\G(?!\s*$)`,
            end: '$',
            name: 'meta.embedded.line.puppet',
            patterns: include('code'),
        },
        ...inside,
    ],
});

const between = (begin, end, name, patterns) => ({
    begin,
    end,
    beginCaptures: { 0: scope('punctuation.section') },
    endCaptures: { 0: scope('punctuation.section') },
    ...(name === undefined ? {} : { name: `${name}.puppet` }),
    patterns,
});

const quote = (kind) => scope(`punctuation.definition.string.${kind}`);

const string = (sign, kind, patterns) => ({
    begin: sign,
    end: sign,
    beginCaptures: { 0: quote('begin') },
    endCaptures: { 0: quote('end') },
    name: `string.quoted.${kind}.puppet`,
    patterns,
});

/** A quoted class name, as in `include` and `Class[…]`. */
const quotedClass = (sign) => ({
    match: `(${sign})(${NAME})(${sign})`,
    captures: {
        1: scope('string.quoted'),
        2: scope('entity.name.type.class'),
        3: scope('string.quoted'),
    },
});

/** A list of class names. */
const classNames = [
    ...include('comment'),
    quotedClass("'"),
    quotedClass('"'),
    ...include('string', 'variable'),
    { ...scope('entity.name.type.class'), match: `${ALONE}${NAME}(?!\\w*\\()` },
];

const repository = {
    comment: {
        patterns: [
            { ...scope('comment.line.number-sign'), match: '#.*$' },
            { ...scope('comment.block'), begin: r`/\*`, end: r`\*/` },
        ],
    },

    heredoc: {
        patterns: [
            heredoc(r`"([^":/\r\n)]+?)"`, 'interpolated', include('interpolation', 'escape')),
            heredoc(r`([^":/\r\n)]+?)`, 'raw', []),
        ],
    },

    string: {
        patterns: [
            string("'", 'single', [{ ...scope('constant.character.escape'), match: r`\\[\\']` }]),
            string('"', 'double', include('escape', 'interpolation')),
        ],
    },
    escape: { ...scope('constant.character.escape'), match: ESCAPE },
    interpolation: {
        patterns: [
            {
                begin: r`\$\{`,
                end: r`\}`,
                beginCaptures: { 0: scope('punctuation.section.interpolation.begin') },
                endCaptures: { 0: scope('punctuation.section.interpolation.end') },
                name: 'meta.embedded.interpolation.puppet',
                patterns: [
                    // The first word is a variable, unless it is a function call.
                    {
                        ...scope('variable.other.readwrite'),
                        match: r`\G\s*(?:::)?(?:\w+::)*\w+(?=\s*(?:[}\[]|\.\s*[a-z]))`,
                    },
                    ...include('nested'),
                ],
            },
            { ...scope('variable.other.readwrite'), match: VARIABLE },
        ],
    },

    // A slash after an operand is a division. The lookbehind lists everything else that can precede a regex.
    regex: {
        begin: r`(?:^|(?<=[=~!<>(,\[{}:;?|])|(?<=\bnode|\bcase|\bin|\bor|\band|\bif|\bunless))\s*(/)(?![*])(?=(?:[^/\\]|\\.)*/)`,
        end: '/',
        beginCaptures: { 1: scope('string.regexp') },
        endCaptures: { 0: scope('string.regexp') },
        contentName: 'string.regexp.puppet',
        patterns: [{ match: r`\\.` }],
    },

    definition: {
        patterns: [
            {
                match: `${ALONE}(class|inherits)\\s+(?!inherits\\b)(${NAME}|default)`,
                captures: { 1: scope('keyword.other'), 2: scope('entity.name.type.class') },
            },
            {
                match: `${ALONE}(define)\\s+(${NAME})`,
                captures: { 1: scope('keyword.other'), 2: scope('entity.name.type') },
            },
            {
                match: `${ALONE}(function|plan)\\s+(${NAME})`,
                captures: { 1: scope('keyword.other'), 2: scope('entity.name.function') },
            },
            {
                begin: `${ALONE}(node)\\s+(?=[\\w'"/])`,
                end: r`(?=\{)`,
                beginCaptures: { 1: scope('keyword.other') },
                patterns: [
                    ...include('comment', 'string', 'regex'),
                    { ...scope('keyword.other'), match: r`\b(?:default|inherits)\b` },
                    { ...scope('string.unquoted'), match: r`[\w-]+` },
                ],
            },
        ],
    },

    // Class declarations, and functions and types that accept class names.
    classes: {
        patterns: [
            {
                begin: `${ALONE}(class)\\s*(\\{)`,
                end: r`(?=[:}])`,
                beginCaptures: { 1: scope('keyword.other') },
                patterns: classNames,
            },
            {
                begin: r`${ALONE}(Class)\[`.replace('${ALONE}', ALONE),
                end: r`\]`,
                beginCaptures: { 1: scope('entity.name.type') },
                patterns: classNames,
            },
            {
                begin: `${ALONE}(include|contain|require)\\s*\\(`,
                end: r`\)`,
                beginCaptures: { 1: scope('entity.name.function') },
                patterns: [...include('call'), ...classNames],
            },
            {
                // Ends at the end of a line without a trailing comma.
                begin: `${STATEMENT}(include|contain|require)[ \\t]+(?=[a-z:'"\\[$])(?![a-z:]+\\s*[=+]>)`,
                end: r`(?<=[\w'"\])}])(?=\s*(?:$|[^\s,\w'":\[]))`,
                beginCaptures: { 1: scope('entity.name.function') },
                patterns: classNames,
            },
        ],
    },

    property: {
        ...scope('variable.other.property'),
        match: `${FREE}(?!(?:true|false|undef|default)\\b)${NAME}(?=\\s*[=+]>)`,
    },

    keyword: {
        patterns: [
            { ...scope('entity.name.function'), match: `${ALONE}type(?=\\s*\\()` },
            { ...scope('keyword.control'), match: `${ALONE}(?:${KEYWORDS})(?![\\w:-]*\\w|::)` },
            {
                ...scope('constant.language'),
                match: `${ALONE}(?:true|false|undef|default)(?![\\w-]*\\w|::)`,
            },
        ],
    },

    call: {
        patterns: [
            { ...scope('entity.name.function'), match: `${ALONE}${NAME}(?=\\()` },
            { ...scope('entity.name.function'), match: `${ALONE}${NAME}(?=[ \\t]+\\()` },
            { ...scope('entity.name.function'), match: r`(?<=\.)[a-z]\w*` },
            {
                match: `${STATEMENT}(${STATEMENT_CALLS})(?=\\s*(?:$|[}#])|[ \\t]++(?![=+]>|\\{))(?![\\w:-])`,
                captures: { 1: scope('entity.name.function') },
            },
        ],
    },

    variable: { ...scope('variable.other.readwrite'), match: VARIABLE },

    type: { ...scope('entity.name.type'), match: `(?<![\\w$])${TYPE}` },

    // `file {`, but not the right operand of a comparison.
    resource: {
        ...scope('entity.name.type.resource'),
        match: `${ALONE}(?<![=!<>]= |[=!]~ |\\b(?:in|or|if) |\\band |\\bcase )${NAME}(?=\\s*\\{)`,
    },

    number: {
        ...scope('constant.numeric'),
        match: r`(?<![\w$])(?:0[xX]\h+|\d+(?:\.\d+)?(?:[eE]-?\d+)?)(?!\w)`,
    },

    // In a selector, a word before an arrow is a value.
    selector: {
        begin: r`(\?)\s*(\{)`,
        end: r`\}`,
        beginCaptures: { 1: scope('keyword.operator') },
        name: 'meta.selector.puppet',
        patterns: [
            {
                ...scope('string.unquoted'),
                match: `${FREE}(?!(?:true|false|undef|default)\\b)${WORD}(?=\\s*=>)`,
            },
            ...include('nested'),
        ],
    },

    collector: {
        begin: r`<<?\|`,
        end: r`\|>>?`,
        beginCaptures: { 0: scope('keyword.operator') },
        endCaptures: { 0: scope('keyword.operator') },
        name: 'meta.collector.puppet',
        patterns: [
            { ...scope('variable.other.property'), match: `${ALONE}[a-z]\\w*(?=\\s*[!=]=)` },
            ...include('nested'),
        ],
    },

    operator: {
        ...scope('keyword.operator'),
        match: r`[-~]>|<[-~]|[-+]=|[=+]>|[=!]=|[=!]~|[<>]=|<<|>>|@@?|[-+*/%=<>!?]`,
    },

    word: { ...scope('string.unquoted'), match: `${FREE}${WORD}` },

    /** Code in which brackets are counted. */
    nested: {
        patterns: [
            between(r`\{`, r`\}`, undefined, include('nested')),
            between(r`\[`, r`\]`, undefined, include('nested')),
            between(r`\(`, r`\)`, undefined, include('nested')),
            ...include('code'),
        ],
    },

    code: {
        patterns: include(
            'comment',
            'heredoc',
            'string',
            'regex',
            'selector',
            'collector',
            'property',
            'definition',
            'classes',
            'keyword',
            'call',
            'resource',
            'variable',
            'type',
            'number',
            'operator',
            'word',
        ),
    },
};

export const puppet = {
    name: 'Puppet',
    scopeName: 'source.puppet',
    fileTypes: ['pp'],
    patterns: include('code'),
    repository,
};
