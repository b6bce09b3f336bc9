# frozen_string_literal: true

require 'strscan'

# Splits Puppet source into tokens for mutation.
#
# This is not a lexer of the language: it is independent of the parser under test, only recognizes
# enough to keep words intact, and may be wrong about regular expressions and unusual heredocs. A wrong
# split is a mutant like any other.
module Mutants
  # `at` and `length` are bytes. `inner` marks parts of a string or of the text of a heredoc.
  Token = Struct.new(:at, :length, :text, :inner)

  class Tokens
    SKIP = %r{[ \t\r\n]+|\#[^\n]*|/\*.*?\*/}m
    HEREDOC = /@\(\s*("?)([^:\/)"\r\n]+?)\1\s*(?::[^\/)\n]*)?(?:\/[^)\n]*)?\)/
    WORD = /(?:::)?[A-Za-z_]\w*(?:::\w+)*(?:-\w+)*/
    PLAIN = Regexp.union(
      /\$(?:::)?(?:\w+::)*\w+/, # a variable
      /\d[\w.]*/, # a number
      WORD,
      /<<\||\|>>|<<~|<~|<-|->|~>|<\||\|>|=>|\+>|==|!=|=~|!~|>=|<=|<<|>>|\+=|-=|@@|::/,
      /[[:print:]]/
    )
    SINGLE = /'(?:\\.|[^'\\])*'/m
    REGEX = %r{/(?:\\.|[^/\n\\])+/}
    OPERAND = /[\w\])}|'">]\z/
    EPP_OPEN = /<%(?:%|#.*?%>|=|-)?/m
    EPP_CLOSE = /-?%>/

    # All tokens of a source. `epp` marks a template.
    def self.of(source, epp: false)
      new(source).tap { |t| epp ? t.template : t.code(source.bytesize) }.found
    end

    attr_reader :found

    def initialize(source)
      @scan = Source.new(source)
      @found = []
      @heredocs = []
    end

    # A template: text, with code in tags.
    def template
      until @scan.end?
        return unless @scan.skip_to(EPP_OPEN)

        tag = take(EPP_OPEN)
        code(@scan.size, EPP_CLOSE) && take(EPP_CLOSE) unless tag.text.start_with?('<%%', '<%#')
      end
    end

    # Code up to `limit` (a byte offset), or to where `stop` matches.
    def code(limit, stop = nil, inner: false)
      while @scan.at < limit
        return true if stop && @scan.check(stop)
        next if blank

        token = one(inner)
        return false unless token
      end
      true
    end

    private

    # Skips blanks, comments, and the heredoc texts that start after the end of the line.
    def blank
      from = @scan.at
      skipped = @scan.match(SKIP) or return false
      heredoc_texts(from + skipped.index("\n") + 1) if skipped.include?("\n") && !@heredocs.empty?
      true
    end

    def one(inner)
      if (heredoc = @scan.check(HEREDOC))
        @heredocs << heredoc[HEREDOC, 2].strip
        return take(HEREDOC, inner)
      end
      return take(SINGLE, inner, parts: true) if @scan.check(SINGLE)
      return double_quoted(inner) if @scan.check(/"/)
      return take(REGEX, inner) if @scan.check(REGEX) && !(@found.last && @found.last.text.match?(OPERAND))

      take(PLAIN, inner) || take(/./m, inner)
    end

    def take(pattern, inner = false, parts: false)
      at = @scan.at
      text = @scan.match(pattern) or return nil
      token = Token.new(at, text.bytesize, text, inner)
      @found << token
      pieces(text, at) if parts && !inner
      token
    end

    # The words and signs inside a string or heredoc.
    def pieces(text, at)
      Source.new(text).each(PLAIN) { |piece, from| @found << Token.new(at + from, piece.bytesize, piece, true) }
    end

    # A double-quoted string is one token, and its parts are more tokens.
    def double_quoted(inner)
      at = @scan.at
      length = @scan.double_quoted_length
      text = @scan.advance(length)
      token = Token.new(at, length, text, inner)
      @found << token
      pieces(text, at) unless inner
      token
    end

    def heredoc_texts(from)
      @scan.at = from
      tag = @heredocs.shift
      last = /^[ \t]*(?:\|[ \t]*)?(?:-[ \t]*)?#{Regexp.escape(tag)}[ \t]*$/
      text = @scan.until(last)
      if text
        pieces(text, from)
        heredoc_texts(@scan.at) unless @heredocs.empty?
      end
    end
  end

  # A source with a position in bytes.
  class Source
    attr_accessor :at

    def initialize(text)
      @text = text.b
      @utf8 = text
      @at = 0
    end

    def size = @text.bytesize
    def end? = @at >= size

    # The match of a pattern right here, or nil. Patterns see bytes as UTF-8.
    def check(pattern)
      scanner.pos = @at
      scanner.check(pattern)
    end

    def match(pattern)
      found = check(pattern)
      @at += found.bytesize if found
      found
    end

    def advance(length)
      @utf8.byteslice(@at, length).tap { @at += length }
    end

    def skip_to(pattern)
      scanner.pos = @at
      found = scanner.exist?(pattern) or return nil
      scanner.scan_until(pattern)
      @at = scanner.pos - scanner.matched_size
      found
    end

    # Returns the text up to the end of the match, and advances to it.
    def until(pattern)
      scanner.pos = @at
      found = scanner.scan_until(pattern) or return nil
      @at = scanner.pos
      found
    end

    def each(pattern)
      until end?
        skip_to(pattern) or return
        from = @at
        yield match(pattern), from
      end
    end

    # The length of the string that starts here, with its interpolations.
    def double_quoted_length
      i = @at + 1
      depth = 0
      while i < size
        case @text[i]
        when '\\' then i += 1
        when '{' then depth += 1 if depth.positive? || @text[i - 1] == '$'
        when '}' then depth -= 1 if depth.positive?
        when '"' then return i + 1 - @at if depth.zero?
        end
        i += 1
      end
      1
    end

    private

    def scanner
      @scanner ||= StringScanner.new(@utf8)
    end
  end
end
