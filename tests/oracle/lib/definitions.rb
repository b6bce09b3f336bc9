# frozen_string_literal: true

require 'digest'
require 'puppet/property/boolean'

module Oracle
  # Loads the Ruby files of modules and describes their definitions.
  class Definitions
    include Puppet::Pops::Loader

    # The errors of files that cannot be loaded here: missing gems, other systems, bugs.
    FAILURES = [StandardError, SystemStackError, LoadError, NotImplementedError, SyntaxError].freeze

    def initialize(compiler, folders)
      @compiler = compiler
      @folders = folders
    end

    def all
      functions('lib/puppet/functions/**/*.rb', 'function4x') { |file| function4x(file) } +
        functions('lib/puppet/parser/functions/**/*.rb', 'function3x') { |file| function3x(file) } +
        functions('lib/puppet/type/*.rb', 'type') { |file| type(file) }
    end

    private

    # A file: the directory of its module, and the relative path.
    SourceFile = Struct.new(:folder, :path, :module_name) do
      def text
        Oracle.read(File.join(folder, path))
      end

      # The name that Puppet derives from the path after `marker`.
      def name_below(marker)
        path.delete_prefix(marker).delete_suffix('.rb').gsub('/', '::')
      end
    end

    def functions(pattern, kind)
      files(pattern).map do |file|
        begin
          answer = yield(file)
        rescue *FAILURES => e
          answer = failed(e)
        end
        Oracle.take_logs
        head = { 'kind' => kind, 'file' => "#{File.basename(file.folder)}/#{file.path}",
                 'text' => Digest::SHA256.hexdigest(file.text)[0, 16] }
        head.merge(answer)
      end
    end

    def failed(error)
      { 'error' => Oracle.tidy(error.message).lines.first.to_s.strip[0, 200] }
    end

    def files(pattern)
      names = Oracle.farm_modules.invert
      @folders.flat_map { |dir| Dir.children(dir).sort.map { |it| File.join(dir, it) } }.flat_map do |folder|
        Dir.glob(pattern, base: folder).sort.map { |path| SourceFile.new(folder, path, names[File.realpath(folder)]) }
      end
    end

    def loader(file)
      @compiler.loaders.public_loader_for_module(file.module_name)
    end

    def function4x(file)
      name = TypedName.new(:function, file.name_below('lib/puppet/functions/'))
      made = RubyFunctionInstantiator.create(loader(file), name, File.join(file.folder, file.path), file.text)
      signatures = made.class.dispatcher.signatures.map do |it|
        { 'type' => Oracle.exact(it.type), 'parameters' => it.parameter_names.map(&:to_s), 'block' => it.block_name&.to_s }.compact
      end
      { 'name' => made.class.name.to_s, 'signatures' => signatures }
    end

    def function3x(file)
      name = TypedName.new(:function, file.name_below('lib/puppet/parser/functions/'))
      made = RubyLegacyFunctionInstantiator.create(loader(file), name, File.join(file.folder, file.path), file.text)
      info = Puppet::Parser::Functions.environment_module(Puppet.lookup(:current_environment)).get_function_info(name.name.to_sym)
      { 'name' => made.class.name.to_s, 'rvalue' => info[:type] == :rvalue, 'arity' => info[:arity],
        'doc' => info[:doc] ? true : false, 'fails' => failing_counts(name.name) }
    end

    # The numbers of arguments, from 0 to 4, with which the function fails if all of them are nil.
    def failing_counts(name)
      scope = Puppet::Parser::Scope.new(Puppet::Parser::Compiler.new(Puppet::Node.new('node', environment: Puppet.lookup(:current_environment))))
      (0..4).select do |count|
        scope.send("real_function_#{name}", Array.new(count))
        false
      rescue StandardError, LoadError, NotImplementedError
        true
      end
    end

    # In a separate process, because types load other types, and modules define the same ones.
    def type(file)
      reader, writer = IO.pipe
      pid = fork do
        reader.close
        writer.write(JSON.generate(loaded_type(file)))
        writer.close
        exit!(0)
      end
      writer.close
      answer = reader.read
      Process.wait(pid)
      JSON.parse(answer)
    end

    def loaded_type(file)
      load(File.join(file.folder, file.path))
      describe(Puppet::Type.type(File.basename(file.path, '.rb').to_sym))
    rescue *FAILURES => e
      failed(e)
    end

    def describe(type)
      declared = type.properties + type.parameters.reject { |it| it == :provider }.map { |it| type.paramclass(it) }
      { 'name' => type.name.to_s, 'doc' => !type.doc.to_s.strip.empty?,
        'attributes' => declared.map { |it| attribute(type, it) },
        'providers' => type.providers.map(&:to_s).sort,
        'autorequires' => [].tap { |all| type.eachautorequire { |name, _| all << name.to_s.downcase } },
        'title_patterns' => type.singleton_methods(false).include?(:title_patterns) }
    end

    def attribute(type, klass)
      patterns, values = klass.value_collection.instance_variable_get(:@values).values.partition(&:regex?)
      values = values.flat_map { |it| [it.name, *it.aliases] }.map(&:to_s)
      values |= %w[true false yes no] if klass <= Puppet::Property::Boolean
      { 'name' => klass.name.to_s, 'kind' => type.properties.include?(klass) ? 'property' : 'parameter',
        'values' => values.sort, 'patterns' => patterns.map { |it| pattern(it.name) }.sort,
        'namevar' => type.key_attributes.include?(klass.name), 'required' => klass.required? ? true : false,
        'own_validation' => own_validation?(klass),
        'default' => default(klass),
        'features' => Array(klass.required_features).flatten.map(&:to_s).sort,
        # Puppet adds generated text, which is not documentation.
        'doc' => !klass.instance_variable_get(:@doc).to_s.strip.empty? }
    end

    # Whether code validates the values too, or their case is ignored.
    def own_validation?(klass)
      klass <= Puppet::Property::Boolean ||
        ![Puppet::Parameter, Puppet::Property].include?(klass.instance_method(:unsafe_validate).owner)
    end

    # The default of an attribute as a string, if it does not depend on the resource.
    def default(klass)
      value = klass.allocate.default if klass.public_method_defined?(:default)
      value.to_s if [String, Symbol, Numeric, true, false].any? { |it| it === value }
    rescue *FAILURES
      nil
    end

    def pattern(regexp)
      options = { 'm' => Regexp::MULTILINE, 'i' => Regexp::IGNORECASE, 'x' => Regexp::EXTENDED }
      letters = options.select { |_, bit| (regexp.options & bit).positive? }.keys.join
      letters.empty? ? regexp.source : "(?#{letters}:#{regexp.source})"
    end
  end
end
