# frozen_string_literal: true

module Oracle
  # Reads the snippets of parse/cases; parse/cases/README.md describes the form.
  module Cases
    # `path` tells the kind of the source, as `Examine` takes it.
    Case = Struct.new(:id, :source, :path)

    module_function

    # The snippets of all files of a folder, in order.
    def all(folder)
      Dir.glob('*.cases', base: folder).sort.flat_map { |name| read(File.join(folder, name), File.basename(name, '.cases')) }
    end

    def read(path, prefix)
      blocks = File.read(path, encoding: 'utf-8').split(/^=== /)
      blocks.drop(1).map do |block|
        head, body = block.split("\n", 2)
        name, *flags = head.split
        source = body.delete_suffix("\n")
        source = unescape(source) if flags.include?('escaped')
        Case.new("#{prefix}/#{name}", source, place(flags))
      end
    end

    def place(flags)
      "#{'/plans' if flags.include?('tasks')}/case.#{flags.include?('epp') ? 'epp' : 'pp'}"
    end

    # \r, \n, \t, \0, \\ and \u{...}; everything else, line ends too, as it is.
    def unescape(text)
      text.gsub(/\\(?:([rnt0\\])|u\{(\h+)\})/) { $2 ? [$2.hex].pack('U') : { 'r' => "\r", 'n' => "\n", 't' => "\t", '0' => "\0", '\\' => '\\' }[$1] }
    end
  end
end
