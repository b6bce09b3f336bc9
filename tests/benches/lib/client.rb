# frozen_string_literal: true

# Shared by the benchmarks of the server: a minimal client and a control repository.
require 'fileutils'
require 'json'
require 'open3'
require 'tmpdir'

# A server for a directory.
class Client
  # The time when the last message arrived.
  attr_reader :read_at

  def initialize(command, folder, capabilities = { textDocument: { hover: { contentFormat: ['markdown'] } } })
    @input, @output, @process = Open3.popen2(*command)
    @next = 0
    ask('initialize', { processId: nil, rootUri: "file://#{folder}",
                        workspaceFolders: [{ uri: "file://#{folder}", name: 'repo' }],
                        capabilities: })
    notify('initialized', {})
  end

  def send(message)
    body = JSON.generate(message.merge(jsonrpc: '2.0'))
    @input.write("Content-Length: #{body.bytesize}\r\n\r\n#{body}")
    @input.flush
  end

  def notify(method, params) = send(method:, params:)

  def ask(method, params)
    id = (@next += 1)
    send(id:, method:, params:)
    loop do
      message = read
      return message['result'] if message['id'] == id && !message.key?('method')

      answer(message)
    end
  end

  # Returns the next notification of a method.
  def wait_for(method)
    loop do
      message = read
      return message['params'] if message['method'] == method

      answer(message)
    end
  end

  # Returns the diagnostics of a version of a document.
  def diagnostics(uri, version)
    loop do
      found = wait_for('textDocument/publishDiagnostics')
      return found['diagnostics'] if found['uri'] == uri && found['version'] == version
    end
  end

  # Waits until the server has loaded the modules.
  def wait_until_read
    sleep 0.05 until ask('pupil/workspace', nil)['environments'].any? { |it| it['modules'].any? }
  end

  def peak_megabytes
    File.read("/proc/#{@process.pid}/status")[/VmHWM:\s+(\d+)/, 1].to_i / 1024.0
  end

  def stop
    ask('shutdown', nil)
    notify('exit', nil)
  end

  private

  # Accepts requests from the server.
  def answer(message)
    send(id: message['id'], result: nil) if message['method'] && message['id']
  end

  def read
    length = 0
    while (line = @output.gets) && line != "\r\n"
      length = Integer(line[/\d+/]) if line.start_with?('Content-Length')
    end
    body = @output.read(length)
    @read_at = now
    JSON.parse(body)
  end
end

# Creates a control repository from a directory of modules: links with the names that Puppet expects,
# and copies of their manifests under other names.
def control_repo(repo, modules, copies = 0)
  Dir.mkdir("#{repo}/modules")
  Dir.glob("#{modules}/*/metadata.json") do |metadata|
    name = JSON.parse(File.read(metadata))['name'].split(%r{[-/]}).last
    link = "#{repo}/modules/#{name}"
    next if File.exist?(link)

    folder = File.dirname(metadata)
    File.symlink(folder, link)
    (1..copies).each { |number| copy_module(folder, name, "#{repo}/modules", "#{name}_#{number}") }
  end
  File.write("#{repo}/environment.conf", "modulepath = modules\n")
end

# Copies the Puppet files with the new name of the module.
def copy_module(folder, name, modules, new_name)
  Dir.glob('{manifests,functions,types}/**/*.pp', base: folder) do |file|
    target = "#{modules}/#{new_name}/#{file}"
    FileUtils.mkdir_p(File.dirname(target))
    text = File.read("#{folder}/#{file}").scrub
    File.write(target, text.gsub(/\b#{name}\b/, new_name).gsub(/\b#{name.capitalize}\b/, new_name.capitalize))
  end
end

# Returns a percentile.
def at(times, percent) = times.sort[times.size * percent / 100]

def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
