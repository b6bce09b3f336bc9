# frozen_string_literal: true

require 'json'

module HieraCases
  # Generates control repositories with Hiera data, and keys to look up in them. A repository is a hash of
  # paths and texts.
  class Generator
    KEYS = %w[k1 k2 k3 k4 k5 k6 app::a app::b app::c web::x web::y nomod::z app::deep list h].freeze
    ASKED = KEYS + ['h.a', 'h.b.0', 'list.0', 'list.5', 'k1.x', 'nope', 'app::deep.a.b', '"k1"', 'h."e f"',
                    'app::a.0', 'lookup_options', 'k2..a', 'h.b', 'merged', 'merged.list.1', 'block', 'folded', 'multi',
                    'plain', 'copied.a', 'seq.1.1.w.0', 'complex']
    # Other forms of YAML.
    STYLES = <<~'YAML'
      anchors: &anchor
        a: 1
        list: [x, "%{facts.kernel}"]
      merged:
        <<: *anchor
        b: 2
      block: |
        line %{facts.os.name}
          two
      folded: >-
        a
        b

        c
      multi: "a
        b"
      plain: a b
        c d
      copied: *anchor
      seq:
      - 1
      - - 2
        - k: v
          w: [*anchor]
      ? complex
      : value
    YAML
    SCALARS = ['1', 'ok', 'x', 'true', '2', 'w', '80', '1', '2', "'80'", 'yes', 'no', '010', '1.10', '~', "'yes'",
               'foo', 'bar baz', '"q"', '0x1f', '1_000', '12:30:00', '-5', '1e3', '+1.5e+3', '.5', 'null', 'on',
               '"a\\nb"', '-- x', '--foo', 'bar', "''"].freeze
    INTERPOLATIONS = ['"%{facts.os.family}"', '"x %{trusted.certname} y"', %q("%{lookup('k1')}"), %q("%{alias('k2')}"),
                      %q("%{alias('list')}"), %q("a%{hiera('k3')}b%{literal('%')}{x}"), '"%{::osfamily}-%{os.name}"',
                      %q("%{lookup('app::a')}"), %q("%{scope('facts.kernel')}"), '"%{facts.nope.x}"', '"%{}z%{::}"',
                      %q("%{lookup('nope')}"), %q("%{lookup('h.a')}"), %q("%{lookup('list.0')}"), '"%{environment}"',
                      %q("%{alias('h')}"), '"%{ facts.os.release.major }"', '"%{os.release}"',
                      '"%{facts.processors.models}"'].freeze
    STRATEGIES = ['first', 'unique', 'hash', 'deep', '{strategy: deep, knockout_prefix: "--"}',
                  '{strategy: deep, merge_hash_arrays: true}', '{strategy: deep, sort_merged_arrays: true}',
                  '{strategy: deep}', nil, nil, 'unique', 'deep', 'hash',
                  '{strategy: deep, knockout_prefix: "--", merge_hash_arrays: true}'].freeze
    CONVERSIONS = ([nil] * 6) + ['Integer', 'String', 'Boolean', 'Array', '[Integer, 16]', '"Sensitive"', 'Float',
                                 '"Array[String]"', 'Hash', 'Numeric', '"Enum[a,b]"']
    LEVELS = [['nodes/%{trusted.certname}.yaml', 'nodes/node1.example.com.yaml'],
              ['os/%{facts.os.family}.yaml', 'os/Debian.yaml'], ['os/%{facts.os.family}.yaml', 'os/RedHat.yaml'],
              ['missing/%{facts.nope.x}.yaml', nil], ['common.yaml', 'common.yaml'],
              ['%{::osfamily}/%{os.release.major}.yaml', 'Debian/12.yaml'], ['env-%{environment}.yaml', nil]].freeze
    MERGES = ['unique', 'hash', 'deep', 'first', { 'strategy' => 'deep', 'knockout_prefix' => '--' }, 'bogus',
              { 'strategy' => 'deep', 'sort_merged_arrays' => true },
              { 'strategy' => 'deep', 'merge_hash_arrays' => true, 'knockout_prefix' => '--' }].freeze

    def initialize(seed)
      @random = Random.new(seed)
    end

    # A repository with requests: of a version of `hiera.yaml`, with data directories out of `folders`.
    def repository(keys: 22, version: 5, folders: nil)
      @version = version
      @folders = folders
      @files = { 'environment.conf' => "modulepath = modules\n", 'manifests/site.pp' => '' }
      layer('') if chance(0.95)
      %w[app web].each do |name|
        @files["modules/#{name}/manifests/init.pp"] = "class #{name} {}\n"
        layer("modules/#{name}/", name) if chance(0.75)
      end
      { 'files' => @files, 'requests' => ASKED.sample(keys, random: @random).map { |key| request(key) } }
    end

    private

    def chance(share) = @random.rand < share
    def pick(list) = list.sample(random: @random)
    def some(list, most) = list.sample(@random.rand(0..most), random: @random)

    def request(key)
      request = { 'lookup' => key, 'facts' => pick(%w[debian12 redhat8 centos7]), 'roles' => pick([%w[web db], 'web', [], '']) }
      request['merge'] = pick(MERGES) if chance(0.25)
      request
    end

    def scalar = pick(chance(0.1) ? INTERPOLATIONS : SCALARS)

    def value(depth = 0)
      kind = @random.rand
      return scalar if depth > 2 || kind < 0.45
      return "[#{Array.new(@random.rand(0..4)) { value(depth + 1) }.join(', ')}]" if kind < 0.7

      keys = some(['a', 'b', 'c', 'd', 'e f', '1', '"--a"', '"%{facts.kernel}"'], 4)
      "{#{keys.map { |key| "#{key}: #{value(depth + 1)}" }.join(', ')}}"
    end

    def keys_of(owner) = owner ? KEYS.select { |key| key.start_with?("#{owner}::") } : KEYS

    def options(owner)
      lines = keys_of(owner).sample(@random.rand(1..5), random: @random).map do |key|
        merge = pick(STRATEGIES)
        conversion = pick(CONVERSIONS)
        entries = [("merge: #{merge}" if merge), ("convert_to: #{conversion}" if conversion)].compact
        key = "'^#{owner ? "#{owner}::.*" : pick(['k[0-9]', 'app::.*', '.*'])}$'" if chance(0.2)
        "  #{key}: {#{entries.join(', ')}}"
      end
      "lookup_options:\n#{lines.uniq.join("\n")}\n"
    end

    def data(owner)
      text = chance(0.5) ? options(owner) : +''
      text += "other: 1\n" if owner && chance(0.2)
      known = keys_of(owner)
      known.sample(@random.rand(1..known.size), random: @random).each do |key|
        text += case key
                when 'list' then "list: [#{Array.new(3) { value(1) }.join(', ')}]\n"
                when 'h' then "h: {a: #{value(1)}, b: #{value(1)}}\n"
                else "#{key}: #{value}\n"
                end
      end
      chance(0.3) ? text + STYLES : text
    end

    def json_value(depth = 0)
      kind = @random.rand
      if depth > 2 || kind < 0.5
        pick([1, 2.5, 'a', '80', true, nil, '%{facts.kernel}', 1e20, -3, "x %{lookup('k1')}"])
      elsif kind < 0.75
        Array.new(@random.rand(0..3)) { json_value(depth + 1) }
      else
        some(%w[a b c], 3).to_h { |key| [key, json_value(depth + 1)] }
      end
    end

    # The configuration and data of the environment, or of a module.
    def layer(root, owner = nil)
      @owner = owner
      return layer4(root) if @version == 4

      folder = 'data'
      config = +"version: 5\n"
      if @folders || chance(0.3)
        folder = pick(@folders || ['hieradata', 'data', 'conf/hiera'])
        config << "defaults:\n  datadir: #{folder}\n  data_hash: yaml_data\n"
      end
      @place = "#{root}#{folder.delete_prefix('.').delete_prefix('/')}/".delete_prefix('/').gsub('//', '/')
      # Pupil does not read all folders of an environment.
      known = @folders ? LEVELS.reject { |path, _| path.start_with?('%') } : LEVELS
      levels = known.sample(@random.rand(1..5), random: @random).each_with_index.map do |(path, file), index|
        file(file) if file && chance(0.85)
        "  - name: \"L#{index}\"\n    path: \"#{path}\"\n#{details(file)}"
      end
      levels << special_level
      config << "hierarchy:\n#{levels.compact.shuffle(random: @random).join}"
      if owner && chance(0.4)
        config << "default_hierarchy:\n  - name: def\n    path: def.yaml\n"
        file('def.yaml')
      end
      @files["#{root}hiera.yaml"] = config
    end

    # The same in version 4, with paths that may lack their extension.
    def layer4(root)
      @place = "#{root}data/"
      levels = LEVELS.sample(@random.rand(1..5), random: @random).each_with_index.map do |(path, file), index|
        file(file) if file && chance(0.85)
        path = path.delete_suffix('.yaml') if chance(0.5)
        "  - name: L#{index}\n    backend: yaml\n    path: \"#{path}\"\n#{"    datadir: other\n" if chance(0.1)}"
      end
      files('m1.yaml', 'm2.yaml', 'named.yaml')
      levels << "  - name: named\n    backend: yaml\n" << "  - name: many\n    backend: yaml\n    paths: [m2.yaml, m1]\n"
      @files["#{@place}j.json"] = JSON.generate(keys_of(@owner).sample(2, random: @random).to_h { |key| [key, json_value] })
      levels << "  - name: json\n    backend: json\n    path: j\n"
      config = +"version: 4\n"
      config << "hierarchy:\n#{levels.shuffle(random: @random).join}" if chance(0.9)
      file('common.yaml')
      @files["#{root}hiera.yaml"] = config
    end

    # Further keys of a level.
    def details(file)
      case @random.rand
      when 0...0.1
        @files["#{@owner ? "modules/#{@owner}/" : ''}other/#{file}"] = data(@owner) if file
        "    datadir: other\n"
      when 0.1...0.2
        @files["#{@owner ? "modules/#{@owner}/" : ''}by/Debian/#{file}"] = data(@owner) if file
        "    datadir: \"by/%{facts.os.family}\"\n"
      when 0.2...0.23 then "    options: {x: 1}\n"
      when 0.23...0.3 then "    data_hash: yaml_data\n"
      end
    end

    def file(path) = @files["#{@place}#{path}"] = data(@owner)

    def files(*paths) = paths.each { |path| file(path) if chance(0.7) }

    def special_level
      case @random.rand
      when 0...0.25
        files('m1.yaml', 'm2.yaml', 'm3.yaml')
        "  - name: many\n    paths: [\"m1.yaml\", \"m2.yaml\", \"m3.yaml\"]\n"
      when 0.25...0.45
        files('g/b.yaml', 'g/a.yaml', 'g/c.yaml')
        "  - name: glob\n    glob: \"g/*.yaml\"\n"
      when 0.45...0.55
        files('g/b.yaml', 'g/s/a.yaml', 'x.yaml', 'y.yaml')
        "  - name: globs\n    globs: [\"g/**/*.yaml\", \"{x,y}.yaml\"]\n"
      when 0.55...0.7
        %w[mp/Linux.yaml mp/web.yaml mp/db.yaml].each { |path| file(path) }
        variable = pick(%w[facts.processors.models roles facts.kernel os.name facts.nope.x])
        "  - name: mapped\n    mapped_paths: [#{variable}, tmp, \"mp/%{tmp}.yaml\"]\n"
      when 0.7...0.8
        known = keys_of(@owner)
        entries = known.sample(@random.rand(1..known.size), random: @random).to_h { |key| [key, json_value] }
        @files["#{@place}j.json"] = JSON.generate(entries)
        "  - name: json\n    data_hash: json_data\n    path: j.json\n"
      end
    end
  end
end
