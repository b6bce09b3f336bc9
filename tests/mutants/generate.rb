# frozen_string_literal: true

require_relative 'tokens'

# Mutates one token per file, deterministically from the seed, count and files.
module Mutants
  # A mutation: replaces `length` bytes at the byte `at` of `file` by `replacement`.
  Mutant = Struct.new(:file, :op, :at, :length, :replacement) do
    def apply(source)
      bytes = source.b
      bytes[at, length] = replacement.b
      bytes.force_encoding('UTF-8')
    end
  end

  class Generator
    OPS = %w[delete double swap replace].freeze
    # The percentages of mutants in templates, in files chosen by size rather than uniformly, and in parts
    # of strings or text.
    TEMPLATES = 6
    BY_SIZE = 50
    INNER = 12

    # `sources` maps file names to sources.
    def initialize(seed, sources)
      @random = Random.new(seed)
      @sources = sources
      @tokens = sources.to_h { |name, text| [name, Tokens.of(text, epp: name.end_with?('.epp'))] }
      @tokens.reject! { |_, tokens| tokens.size < 2 }
      @templates, @manifests = @tokens.keys.sort.partition { |name| name.end_with?('.epp') }
      @all = @manifests.flat_map { |name| [name] * @tokens[name].size }
      # Common tokens are drawn from all, rare ones from the distinct ones.
      @distinct = @tokens.values.flatten.map(&:text).uniq
      @kinds = @distinct.group_by { |text| kind(text) }
    end

    def take(count)
      seen = {}
      mutants = []
      while mutants.size < count
        mutant = one
        next if mutant.nil? || seen.key?(mutant)

        seen[mutant] = true
        mutants << mutant
      end
      mutants
    end

    private

    def one
      file = choose_file
      inner = percent(INNER)
      tokens = @tokens[file].select { |t| t.inner == inner }
      return if tokens.size < 2

      index = @random.rand(tokens.size - 1)
      send(OPS[@random.rand(OPS.size)], file, tokens[index], tokens[index + 1])
    end

    def choose_file
      return pick(@templates) if !@templates.empty? && percent(TEMPLATES)

      percent(BY_SIZE) ? pick(@all) : pick(@manifests)
    end

    def delete(file, token, _)
      Mutant.new(file, 'delete', token.at, token.length, '')
    end

    # Doubled words stay separate, doubled signs may form another sign.
    def double(file, token, _)
      between = token.text.match?(/\A\w/) || percent(50) ? ' ' : ''
      Mutant.new(file, 'double', token.at + token.length, 0, between + token.text)
    end

    def swap(file, token, following)
      return if token.text == following.text || following.at < token.at + token.length

      gap = @sources[file].byteslice(token.at + token.length...following.at)
      return if gap.include?('#') # the second one would become a comment

      Mutant.new(file, 'swap', token.at, following.at + following.length - token.at, following.text + gap + token.text)
    end

    # Half of the replacements are of the same kind, because many of those still parse.
    def replace(file, token, _)
      other =
        if percent(50) then pick(@kinds[kind(token.text)])
        else percent(30) ? pick(@distinct) : pick(@tokens[pick(@all)]).text
        end
      return if other == token.text

      Mutant.new(file, 'replace', token.at, token.length, other)
    end

    def kind(text)
      case text
      when /\A\d/ then :number
      when /\A[a-z:_]/ then :name
      when /\A\w/ then :reference
      when /\A\$/ then :variable
      when /\A['"]./m then :string
      else :sign
      end
    end

    def pick(list) = list[@random.rand(list.size)]
    def percent(share) = @random.rand(100) < share
  end
end
