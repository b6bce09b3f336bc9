# frozen_string_literal: true

# Fills the properties of the project in Cargo.toml into pages of the book:
#
#   {{pupil version}}      the version
#   {{pupil repository}}   the address of the repository
#   {{pupil action}}       the repository as a workflow of GitHub names it
#   {{pupil release}}      the address of the files of the release
#
#   <!-- published -->     to <!-- end -->: only if the repository has an address
#   <!-- unpublished -->   to <!-- end -->: only if it has none
#
# The environment variable PUPIL_REPOSITORY overrides the address, as for the packages in .github.
module Project
  CARGO = File.read(File.join(File.dirname(__dir__), 'Cargo.toml'))[/^\[workspace\.package\]\n(?:(?!\[).*\n)*/]
  REPOSITORY = ENV.fetch('PUPIL_REPOSITORY') { CARGO[/^repository = "(.*)"/, 1].to_s }.sub(%r{(\.git)?/*\z}, '')
  VERSION = CARGO[/^version = "(.*)"/, 1]

  # Keeps the number of lines, so that messages about a page name the right one.
  def self.fill(text)
    address = REPOSITORY.empty? ? '<the address of the repository>' : REPOSITORY
    left_out = REPOSITORY.empty? ? 'published' : 'unpublished'
    text.gsub(/^<!-- #{left_out} -->\n.*?^<!-- end -->\n/m) { |it| "\n" * it.count("\n") }
        .gsub(/^<!-- (published|unpublished|end) -->$/, '')
        .gsub('{{pupil version}}', VERSION)
        .gsub('{{pupil repository}}', address)
        .gsub('{{pupil action}}', REPOSITORY.empty? ? '<the repository>' : REPOSITORY.split('/', 4).last)
        .gsub('{{pupil release}}', "#{address}/releases/download/v#{VERSION}")
  end
end
