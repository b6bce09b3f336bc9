# frozen_string_literal: true

# Checks the links and examples of the book that docs/test has built. A comment before a block of Puppet
# code states what is expected:
#
#   <!-- hovers -->        the comment after each assignment is the hover on its variable
#   <!-- finds: CODE -->   exactly this diagnostic is reported
#   (none)                 nothing is reported

require 'cgi'
require 'fileutils'
require 'json'
require 'open3'
require 'shellwords'
require 'tmpdir'
require 'uri'
require 'yaml'

require_relative 'project'

DOCS = __dir__
ROOT = File.dirname(DOCS)
BOOK = File.join(DOCS, 'book')
PUPIL = ENV.fetch('PUPIL_BINARY')

# Other programs that the book mentions in console blocks.
FOREIGN = %w[apt cargo code curl docker npm npx pipx].freeze

$failures = []

def wrong(place, what)
  $failures << "#{place}: #{what}"
end

# A fenced block of a page: its location, its language, the comment before it, its text.
Block = Struct.new(:place, :language, :mark, :text)

def blocks
  Dir[File.join(DOCS, 'src/*.md')].sort.flat_map do |file|
    found = []
    current = mark = nil
    Project.fill(File.read(file)).each_line(chomp: true).with_index(1) do |line, number|
      if current
        line.start_with?('```') ? (found << current; current = mark = nil) : current.text << line << "\n"
      elsif line =~ /^```(\S*)/
        current = Block.new("src/#{File.basename(file)}:#{number}", Regexp.last_match(1), mark, +'')
      elsif line =~ /^<!-- (.*) -->$/
        mark = Regexp.last_match(1)
      elsif !line.empty?
        mark = nil
      end
    end
    wrong(file, 'unclosed code block') if current
    found
  end
end

# --- links ---------------------------------------------------------------------

Page = Struct.new(:ids, :targets)

def read_page(file)
  text = File.read(file)
  ids = text.scan(/\sid="([^"]+)"/).flatten
  main = text[%r{<main>.*</main>}m].to_s
  targets = main.scan(/\s(?:href|src)="([^"]+)"/).flatten.map { |it| CGI.unescapeHTML(it) }
  Page.new(ids, targets)
end

def check_links
  files = Dir[File.join(BOOK, '**/*.html')].reject { |it| %w[print.html toc.html 404.html].include?(File.basename(it)) }
  pages = files.to_h { |it| [it, read_page(it)] }
  count = 0
  pages.each do |file, page|
    page.targets.each do |target|
      count += 1
      next if target.start_with?('https://')

      path, id = target.split('#', 2)
      to = path.empty? ? file : File.expand_path(URI.decode_www_form_component(path), File.dirname(file))
      name = file.delete_prefix("#{BOOK}/")
      next wrong(name, "broken link: #{target}") unless File.file?(to) && to.start_with?(BOOK)

      wrong(name, "broken link: #{target}: unknown anchor") if id && !pages[to]&.ids&.include?(id)
    end
  end
  puts "#{count} links on #{pages.size} pages"
end

# --- Puppet --------------------------------------------------------------------

def in_a_module(text)
  Dir.mktmpdir do |folder|
    file = File.join(folder, 'modules/example/manifests/init.pp')
    FileUtils.mkdir_p(File.dirname(file))
    File.write(file, text)
    yield file
  end
end

def check_puppet(block)
  in_a_module(block.text) do |file|
    out, = Open3.capture2(PUPIL, 'check', '--format', 'json', File.expand_path('../../..', file))
    found = JSON.parse(out)['findings'].reject { |it| it['severity'] == 'hint' }.map { |it| it['code'] }
    expected = block.mark.to_s.start_with?('finds: ') ? [block.mark.delete_prefix('finds: ')] : []
    wrong(block.place, "expected #{expected}, found #{found}") if found != expected
    block.mark == 'hovers' ? check_hovers(block, file) : 0
  end
end

# Checks the hovers in the comments after assignments. Returns their number.
def check_hovers(block, file)
  count = 0
  block.text.each_line(chomp: true).with_index(1) do |line, number|
    next unless line =~ /^(\s*)\$\w+\s*=.*\s# (.*)$/

    column, expected = Regexp.last_match(1).length + 2, Regexp.last_match(2)
    out, = Open3.capture2(PUPIL, 'hover', "#{file}:#{number}:#{column}")
    # `Integer $x = 1` is shown as `Integer = 1`.
    shown = out[/^(.+) \$\w+( = .*)?$/] ? "#{Regexp.last_match(1)}#{Regexp.last_match(2)}" : 'nothing'
    wrong(block.place, "line #{number}: the hover shows #{shown}") if shown != expected
    count += 1
  end
  wrong(block.place, 'no comment with an expected hover') if count.zero?
  count
end

# --- commands ------------------------------------------------------------------

def help(command)
  @help ||= {}
  @help[command] ||= Open3.capture2e(PUPIL, *[command].compact, '--help').first
end

def check_command(place, line)
  words = Shellwords.split(line.sub(/\s+#.*$/, ''))
  program = words.shift
  if program == 'pupil'
    command = words.first.start_with?('-') ? nil : words.shift
    return wrong(place, "unknown command: pupil #{command}") if command && help(nil) !~ /^  #{Regexp.escape(command)}\s/

    words.grep(/\A--?\w/).each do |option|
      name = option[/\A[^=]+/]
      wrong(place, "unknown option of pupil #{command}: #{name}") unless help(command).match?(/(^|[\s,])#{Regexp.escape(name)}\b/)
    end
  elsif program.include?('/')
    wrong(place, "no such program: #{program}") unless File.executable?(File.join(ROOT, program))
  else
    wrong(place, "unknown program: #{program}") unless FOREIGN.include?(program)
  end
end

def check_console(block)
  lines = block.text.lines(chomp: true).grep(/^\$ /)
  wrong(block.place, 'no command in a console block') if lines.empty?
  lines.each { |it| check_command(block.place, it.delete_prefix('$ ')) }.size
end

# --- main ---------------------------------------------------------------------

check_links
counts = Hash.new(0)
blocks.each do |block|
  case block.language
  when 'puppet'
    counts['hovers'] += check_puppet(block)
  when 'console'
    counts['commands'] += check_console(block)
  when 'json'
    JSON.parse(block.text)
  when 'yaml'
    YAML.safe_load(block.text, aliases: true)
  when ''
    wrong(block.place, 'code block without a language')
  end
  counts[block.language] += 1
rescue JSON::ParserError, Psych::SyntaxError => e
  wrong(block.place, e.message)
end
puts counts.map { |name, count| "#{count} #{name}" }.join(', ')
puts $failures
abort "#{$failures.size} failures" unless $failures.empty?
puts 'all checks passed'
