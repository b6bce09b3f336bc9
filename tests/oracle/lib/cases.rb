# frozen_string_literal: true

module Oracle
  # Reads the snippets of parse/cases, whose README.md describes the format.
  module Cases
    # `path` determines the kind of the source, see `Examine`.
    Case = Struct.new(:id, :source, :path)

    module_function

    # The snippets of all files of a folder, in order.
    def all(folder)
      Dir.glob('*.cases', base: folder).sort.flat_map { |name| read(File.join(folder, name), File.basename(name, '.cases')) }
    end

    def read(path, prefix)
      blocks = File.read(path, encoding: 'utf-8').split(/^=== /)
      blocks.drop(1).flat_map do |block|
        head, body = block.split("\n", 2)
        name, *flags = head.split
        sources(body.delete_suffix("\n"), flags).each_with_index.map do |source, index|
          id = "#{prefix}/#{name}#{":#{index + 1}" if flags.include?('lines')}"
          Case.new(id, flags.include?('escaped') ? unescape(source) : source, place(flags))
        end
      end
    end

    # The body, or with the flag `lines` each of its lines.
    def sources(body, flags)
      flags.include?('lines') ? body.split("\n").reject(&:empty?) : [body]
    end

    # A path that determines the kind, or with a flag `place:PATH` the place in a module.
    def place(flags)
      place = flags.find { |f| f.start_with?('place:') }
      return "/modules/#{place.delete_prefix('place:')}" if place

      "#{'/plans' if flags.include?('tasks')}/case.#{flags.include?('epp') ? 'epp' : 'pp'}"
    end

    # Replaces \r, \n, \t, \0, \\ and \u{...}.
    def unescape(text)
      text.gsub(/\\(?:([rnt0\\])|u\{(\h+)\})/) { $2 ? [$2.hex].pack('U') : { 'r' => "\r", 'n' => "\n", 't' => "\t", '0' => "\0", '\\' => '\\' }[$1] }
    end
  end
end
