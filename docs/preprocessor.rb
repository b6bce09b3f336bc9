# frozen_string_literal: true

# What mdBook puts into the book that is written elsewhere already (see book.toml):
#
#   {{pupil rules}}      a table of the rules, their levels and fixes from editors/pupil.schema.json; each page
#                        of analysis/rules/docs becomes a chapter below
#   {{pupil toml}}       the keys of pupil.toml, from editors/pupil.schema.json
#   {{pupil settings}}   the settings of editors, from the extension for VS Code
#   pictures             of other folders are copied beside the pages
#   links                to files that are no pages lose the link
#
# mdBook gives the book as JSON on standard input and takes it from standard output. Nothing is written
# but src/images.

require 'fileutils'
require 'json'

DOCS = __dir__
ROOT = File.dirname(DOCS)
RULES = File.join(ROOT, 'analysis/rules/docs')
SCHEMA = File.join(ROOT, 'editors/pupil.schema.json')

# Text as it can stand in a cell of a table.
def cell(text)
  text.to_s.gsub('|', '\\|').tr("\n", ' ').strip
end

# A page about a rule: its name, its first paragraph, its text, and what the program says of it.
Rule = Struct.new(:name, :summary, :text, :level, :fix, :since)

def rules
  known = JSON.parse(File.read(SCHEMA)).dig('properties', 'rules', 'properties')
  Dir[File.join(RULES, '*.md')].sort.map do |file|
    text = File.read(file)
    name = text[/\A# (\S+)$/, 1] or abort "#{file} does not begin with the name of a rule"
    facts = known[name] or abort "#{SCHEMA} does not know #{name}"
    Rule.new(name, text.split("\n\n")[1], text, *facts.values_at('default', 'x-fix', 'x-since'))
  end
end

# Examples are marked as wrong or right after the name of their language, which the book does not need.
def rule_page(rule)
  rule.text
      .sub("\n\n", "\n\nDefault level: **#{rule.level}**. Fix: #{rule.fix}. Since #{rule.since}.\n\n")
      .gsub(/^```([\w.]+) wrong$/, "The lines marked with `# <-` are reported:\n\n```\\1")
      .gsub(/^```([\w.]+) right$/, '```\1')
end

def rules_table
  rows = rules.map { |it| "| [`#{it.name}`](rules/#{it.name}.md) | #{it.level} | #{it.fix} | #{cell(it.summary)} |" }
  ['| rule | level | fix | summary |', '|---|---|---|---|', *rows].join("\n")
end

def rule_chapters(parents)
  rules.map do |rule|
    path = "rules/#{rule.name}.md"
    { 'Chapter' => { 'name' => rule.name, 'content' => rule_page(rule), 'number' => nil, 'sub_items' => [],
                     'path' => path, 'source_path' => path, 'parent_names' => parents } }
  end
end

# What a JSON schema says of a value.
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
    "for each name #{kind(schema['additionalProperties'], root)}"
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
  ['| key | value | what |', '|---|---|---|', *rows].join("\n")
end

def settings_table
  package = JSON.parse(File.read(File.join(ROOT, 'editors/vscode/package.json')))
  # Those that are the extension's own are none of the server's.
  own = /\Apupil\.server\./
  settings = package['contributes']['configuration'].flat_map { |it| it['properties'].to_a }
  rows = settings.grep_v(->(it) { it.first.match?(own) }).map do |name, schema|
    text = schema['markdownDescription'].gsub(/`#([\w.]+)#`/, '`\1`')
    "| `#{name}` | #{cell(kind(schema, schema))} | #{cell(text)} |"
  end
  ['| setting | value | what |', '|---|---|---|', *rows].join("\n")
end

# Pictures lie where those are that made them; a book has them beside its pages.
def with_pictures(text)
  text.gsub(%r{\]\((\.\./[\w/.-]+\.(?:png|svg))\)}) do
    from = File.expand_path(Regexp.last_match(1), File.join(DOCS, 'src'))
    File.file?(from) or abort "there is no picture #{from}"
    to = File.join(DOCS, 'src/images')
    FileUtils.mkdir_p(to)
    copy = File.join(to, File.basename(from))
    # mdBook watches them: one that is the same is left alone.
    FileUtils.cp(from, copy) unless File.file?(copy) && FileUtils.identical?(from, copy)
    "](images/#{File.basename(from)})"
  end
end

# What other files of the repository say has links to more of them, which a book has not.
def without_foreign_links(text)
  text.gsub(%r{(?<!!)\[([^\]]+)\]\(([^)#:]+)(#[^)]*)?\)}) do |link|
    label, target = Regexp.last_match.captures
    target.start_with?('rules/') || File.file?(File.join(DOCS, 'src', target)) ? link : label
  end
end

def fill(item)
  chapter = item['Chapter'] or return
  text = chapter['content']
  chapter['sub_items'] += rule_chapters([*chapter['parent_names'], chapter['name']]) if text.include?('{{pupil rules}}')
  text = text.gsub('{{pupil rules}}') { rules_table }
             .gsub('{{pupil toml}}') { toml_table }
             .gsub('{{pupil settings}}') { settings_table }
  chapter['content'] = without_foreign_links(with_pictures(text))
  chapter['sub_items'].each { |it| fill(it) unless it.dig('Chapter', 'path')&.start_with?('rules/') }
end

# mdBook asks first which outputs this is for.
exit if ARGV.first == 'supports'

_, book = JSON.parse($stdin.set_encoding('UTF-8').read)
# It is called `sections` up to mdBook 0.4 and `items` from 0.5 on.
(book['sections'] || book['items']).each { |it| fill(it) }
$stdout.write(JSON.generate(book))
