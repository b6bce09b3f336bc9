# frozen_string_literal: true

require_relative 'ast_dump'
require_relative 'extent'

module Oracle
  # Puppet's verdict on a source: the answers of `parse`, and the data for `record`.
  class Examine
    # `ast` is nil, "pn" or "nodes"; `import` also adds the definitions, as `puppet parser validate` does.
    def initialize(ast: nil, spans: false, import: true)
      @ast = ast
      @extent = Extent.new if spans
      @import = import
    end

    # The path determines the kind of source: a template (`.epp`), a plan (in `/plans/`), or
    # a manifest.
    def call(source, path)
      # Tasks mode is what makes `plan` and `apply` keywords.
      Puppet[:tasks] = path.include?('/plans/')
      epp = path.end_with?('.epp')
      program, stage, found = place_known { Oracle.parse(source, path, epp: epp) }
      found = Oracle.take_issues + found
      if program && @import && !epp && !Puppet[:tasks] && !program.definitions.empty?
        wrong = import_errors(program)
        program, stage, found = nil, 'import', found + wrong unless wrong.empty?
      end
      answer(program, stage, found)
    end

    # The same for exceptions: the checkers of heredoc syntaxes raise errors, and Puppet crashes on some
    # sources.
    def guarded(source, path)
      call(source, path)
    rescue Puppet::Error => e
      { 'ok' => false, 'stage' => 'validate', 'errors' => [Oracle.exception(e).merge('severity' => 'error')] }
    rescue StandardError, SystemStackError => e
      { 'ok' => false, 'stage' => 'crash', 'errors' => [Oracle.exception(e)] }
    end

    private

    def answer(program, stage, found)
      errors, warnings = found.partition { |d| d['severity'] == 'error' }
      answer = { 'ok' => program ? true : false }
      answer['stage'] = stage if stage
      answer['errors'] = errors unless errors.empty?
      answer['warnings'] = warnings unless warnings.empty?
      answer['ast'] = @ast == 'pn' ? pn(program) : AstDump.nodes(program, @extent) if program && @ast
      answer.compact
    end

    # Puppet cannot convert the expressions of plans to PN.
    def pn(program)
      AstDump.pn(program)
    rescue StandardError
      nil
    end

    # Paths in /modules are places in modules, which the names of definitions must match.
    def place_known(&block)
      @env ||= Puppet::Node::Environment.create(:places, ['/modules'])
      Puppet.override(current_environment: @env, &block)
    end

    # Adds the definitions of the file, as `puppet parser validate` does after validation, which reports
    # duplicate definitions and parameters named like metaparameters.
    def import_errors(program)
      env = Puppet::Node::Environment.create(:production, [])
      Puppet.override(current_environment: env, loaders: Puppet::Pops::Loaders.new(env)) do
        main = Puppet::Parser::AST::PopsBridge::Program.new(program, {})
        env.known_resource_types.import_ast(Puppet::Parser::AST::Hostclass.new('', code: main), '')
      end
      []
    rescue StandardError => e # some duplicates are no Puppet::Error
      [Oracle.exception(e).merge('severity' => 'error')]
    end
  end
end
