# frozen_string_literal: true

# The mdBook preprocessor that inserts content from other parts of the repository (see book.toml):
#
#   {{pupil rules}}      a table of the rules with their levels and fixes, from server/pupil.schema.json; each
#                        page, the doc comment of a rule in analysis/rules/src/rules or src/style, becomes a
#                        subchapter
#   {{pupil issues}}     the issue codes of Puppet's static checks, from server/src/issue_codes.md
#   {{pupil actions}}    the code actions, from analysis/ide/src/assists/catalog.rs
#   {{pupil toml}}       the keys of pupil.toml, from server/pupil.schema.json
#   {{pupil settings}}   the editor settings, from the extension for VS Code
#   {{pupil version}}    and other properties of the project, see project.rb
#   pictures             outside the book are copied to src/images
#   links                to files outside the book are replaced by their text
#
# mdBook passes the book as JSON on standard input and reads the result from standard output. The
# preprocessor writes no files except src/images.

require 'fileutils'
require 'json'

require_relative 'project'

DOCS = __dir__
ROOT = File.dirname(DOCS)
RULES = File.join(ROOT, 'analysis/rules/src/{rules,style}')
SCHEMA = File.join(ROOT, 'server/pupil.schema.json')

# Escapes text for a cell of a Markdown table.
def cell(text)
  text.to_s.gsub('|', '\\|').tr("\n", ' ').strip
end

# The page of a rule, and the properties of the rule in the schema.
Rule = Struct.new(:name, :summary, :text, :level, :fix, :since, :group, :checks)

def rules
  known = JSON.parse(File.read(SCHEMA)).dig('properties', 'rules', 'properties')
  Dir[File.join(RULES, '*.rs')].sort.map do |file|
    source = File.read(file)
    page = source[%r{^declare_rule! \{\n((?: {4}///.*\n)+)}, 1] or abort "#{file} does not declare a rule"
    name = source[/^ {8}code: "(\S+)",$/, 1]
    text = "# #{name}\n\n#{page.gsub(%r{^ {4}/// ?}, '')}"
    facts = known[name] or abort "unknown rule in #{SCHEMA}: #{name}"
    Rule.new(name, text.split("\n\n")[1], text, *facts.values_at('default', 'x-fix', 'x-since', 'x-group', 'x-puppet-lint'))
  end
end

# Adds the properties of the rule, and replaces the marks of the examples.
def rule_page(rule)
  facts = "Default level: **#{rule.level}**. Group: #{rule.group}. Fix: #{rule.fix}. Since #{rule.since}."
  facts += " In puppet-lint: #{rule.checks.map { |it| "`#{it}`" }.join(', ')}." if rule.checks.any?
  rule.text
      .sub("\n\n", "\n\n#{facts}\n\n")
      .gsub(/^```([\w.]+) wrong$/, "The lines marked with `# <-` are reported:\n\n```\\1")
      .gsub(/^```([\w.]+) right$/, '```\1')
end

def rules_table
  rows = rules.map { |it| "| [`#{it.name}`](rules/#{it.name}.md) | #{it.level} | #{it.fix} | #{cell(it.summary)} |" }
  ['| Rule | Level | Fix | Description |', '|---|---|---|---|', *rows].join("\n")
end

def rule_chapters(parents)
  rules.map do |rule|
    path = "rules/#{rule.name}.md"
    { 'Chapter' => { 'name' => rule.name, 'content' => rule_page(rule), 'number' => nil, 'sub_items' => [],
                     'path' => path, 'source_path' => path, 'parent_names' => parents } }
  end
end

# Describes the values that a JSON schema accepts.
def kind(schema, root)
  schema = root.dig('$defs', File.basename(schema['$ref'])) if schema['$ref']
  if (words = schema['enum'])
    words.reject(&:nil?).map { |it| "`#{it.to_json}`" }.join(', ')
  elsif (options = schema['oneOf'] || schema['anyOf'])
    options.reject { |it| it['type'] == 'null' }
           .map { |it| it.key?('const') ? "`#{it['const'].to_json}`" : kind(it, root) }.join(', ')
  elsif schema['type'] == 'array' || Array(schema['type']).include?('array')
    "list of #{kind(schema['items'], root)}s"
  elsif schema['type'] == 'object' && schema['additionalProperties'].is_a?(Hash)
    "map from names to #{kind(schema['additionalProperties'], root)}"
  else
    (Array(schema['type']) - ['null']).join(' or ')
  end
end

def toml_table
  root = JSON.parse(File.read(SCHEMA))
  rows = root['properties'].flat_map do |section, reference|
    table = reference['$ref'] && root.dig('$defs', File.basename(reference['$ref']))
    next [["[#{section}]", reference, reference['description']]] unless table && table['properties']

    table['properties'].map { |key, schema| ["#{key}` in `[#{section}]", schema, schema['description']] }
  end
  rows = rows.map { |name, schema, text| "| `#{name}` | #{cell(kind(schema, root))} | #{cell(text)} |" }
  ['| Key | Value | Description |', '|---|---|---|', *rows].join("\n")
end

def settings_table
  package = JSON.parse(File.read(File.join(ROOT, 'editors/vscode/package.json')))
  # Settings of the extension itself.
  own = /\Apupil\.server\./
  settings = package['contributes']['configuration'].flat_map { |it| it['properties'].to_a }
  rows = settings.grep_v(->(it) { it.first.match?(own) }).map do |name, schema|
    text = schema['markdownDescription'].gsub(/`#([\w.]+)#`/, '`\1`')
    "| `#{name}` | #{cell(kind(schema, schema))} | #{cell(text)} |"
  end
  ['| Setting | Value | Description |', '|---|---|---|', *rows].join("\n")
end

# A table of the code actions that are not fixes.
def actions_table
  source = File.read(File.join(ROOT, 'analysis/ide/src/assists/catalog.rs'))
  rows = source.scan(/^ {4}page\("(\S+)", "(.+?)", "(.+?)"\),$/)
  rows.empty? and abort 'no code actions found'
  rows = rows.map { |_, title, summary| "| #{cell(title)} | #{cell(summary)} |" }
  ['| Title | Effect |', '|---|---|', *rows].join("\n")
end

# The issue codes with their documentation, without the title of the page.
def issue_codes
  text = File.read(File.join(ROOT, 'server/src/issue_codes.md'))
  text.sub(/\A# .*\n\n/, '').gsub(/^```(\w+) .+$/, '```\1')
end

# Copies pictures from other folders into the book.
def with_pictures(text)
  text.gsub(%r{\]\((\.\./[\w/.-]+\.(?:png|svg))\)}) do
    from = File.expand_path(Regexp.last_match(1), File.join(DOCS, 'src'))
    File.file?(from) or abort "no such picture: #{from}"
    to = File.join(DOCS, 'src/images')
    FileUtils.mkdir_p(to)
    copy = File.join(to, File.basename(from))
    # mdBook watches the copies: write only those that changed.
    FileUtils.cp(from, copy) unless File.file?(copy) && FileUtils.identical?(from, copy)
    "](images/#{File.basename(from)})"
  end
end

# Replaces links to files that are not part of the book by their text.
def without_foreign_links(text)
  text.gsub(%r{(?<!!)\[([^\]]+)\]\(([^)#:]+)(#[^)]*)?\)}) do |link|
    label, target = Regexp.last_match.captures
    target.start_with?('rules/') || File.file?(File.join(DOCS, 'src', target)) ? link : label
  end
end

def fill(item)
  chapter = item['Chapter'] or return
  text = Project.fill(chapter['content'])
  chapter['sub_items'] += rule_chapters([*chapter['parent_names'], chapter['name']]) if text.include?('{{pupil rules}}')
  text = text.gsub('{{pupil rules}}') { rules_table }
             .gsub('{{pupil actions}}') { actions_table }
             .gsub('{{pupil toml}}') { toml_table }
             .gsub('{{pupil settings}}') { settings_table }
             .gsub('{{pupil issues}}') { issue_codes }
  chapter['content'] = without_foreign_links(with_pictures(text))
  chapter['sub_items'].each { |it| fill(it) unless it.dig('Chapter', 'path')&.start_with?('rules/') }
end

# mdBook first queries the supported renderers.
exit if ARGV.first == 'supports'

_, book = JSON.parse($stdin.set_encoding('UTF-8').read)
# `sections` up to mdBook 0.4, `items` since 0.5.
(book['sections'] || book['items']).each { |it| fill(it) }
$stdout.write(JSON.generate(book))
