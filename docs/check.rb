# frozen_string_literal: true

# Holds the book against what is there; docs/test has built it. A comment before Puppet code says what
# of it:
#
#   <!-- hovers -->        behind the assignment of a variable stands what a hover on it shows
#   <!-- finds: CODE -->   this is found in it, and nothing else that is wrong
#   (none)                 nothing is wrong with it

require 'cgi'
require 'fileutils'
require 'json'
require 'open3'
require 'shellwords'
require 'tmpdir'
require 'uri'
require 'yaml'

DOCS = __dir__
ROOT = File.dirname(DOCS)
BOOK = File.join(DOCS, 'book')
PUPIL = ENV.fetch('PUPIL_BINARY')

# Programs of others that the book has the reader start.
FOREIGN = %w[cargo code docker].freeze

$failures = []

def wrong(place, what)
  $failures << "#{place}: #{what}"
end

# A fenced piece of a page: where it is, its language, the comment before it, its text.
Block = Struct.new(:place, :language, :mark, :text)

def blocks
  Dir[File.join(DOCS, 'src/*.md')].sort.flat_map do |file|
    found = []
    current = mark = nil
    File.foreach(file, chomp: true).with_index(1) do |line, number|
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
    wrong(file, 'code that does not end') if current
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
      next wrong(name, "#{target} leads nowhere") unless File.file?(to) && to.start_with?(BOOK)

      wrong(name, "#{target}: there is no such place") if id && !pages[to]&.ids&.include?(id)
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
    wrong(block.place, "found is #{found}, not #{expected}") if found != expected
    block.mark == 'hovers' ? check_hovers(block, file) : 0
  end
end

# The comments of assignments; how many there are.
def check_hovers(block, file)
  count = 0
  block.text.each_line(chomp: true).with_index(1) do |line, number|
    next unless line =~ /^(\s*)\$\w+\s*=.*\s# (.*)$/

    column, expected = Regexp.last_match(1).length + 2, Regexp.last_match(2)
    out, = Open3.capture2(PUPIL, 'hover', "#{file}:#{number}:#{column}")
    shown = out[/^\$\w+: (.*)$/, 1] || 'nothing'
    wrong(block.place, "a hover on line #{number} shows #{shown}") if shown != expected
    count += 1
  end
  wrong(block.place, 'no comment says what a hover shows') if count.zero?
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
    return wrong(place, "there is no pupil #{command}") if command && help(nil) !~ /^  #{Regexp.escape(command)}\s/

    words.grep(/\A--?\w/).each do |option|
      name = option[/\A[^=]+/]
      wrong(place, "pupil #{command} has no #{name}") unless help(command).match?(/(^|[\s,])#{Regexp.escape(name)}\b/)
    end
  elsif program.include?('/')
    wrong(place, "there is no #{program}") unless File.executable?(File.join(ROOT, program))
  else
    wrong(place, "#{program} is not known") unless FOREIGN.include?(program)
  end
end

def check_console(block)
  lines = block.text.lines(chomp: true).grep(/^\$ /)
  wrong(block.place, 'there is no command') if lines.empty?
  lines.each { |it| check_command(block.place, it.delete_prefix('$ ')) }.size
end

# --- all of it -----------------------------------------------------------------

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
    wrong(block.place, 'the language of this is not said')
  end
  counts[block.language] += 1
rescue JSON::ParserError, Psych::SyntaxError => e
  wrong(block.place, e.message)
end
puts counts.map { |name, count| "#{count} #{name}" }.join(', ')
puts $failures
abort "#{$failures.size} are wrong" unless $failures.empty?
puts 'all is well'
