# frozen_string_literal: true

require_relative 'generate/area'
require_relative 'generate/values'
Dir[File.join(__dir__, 'generate', 'areas', '*.rb')].sort.each { |file| require file }

# Makes sources for the real Puppet to evaluate: the same ones from the same seed.
#
# Nothing in them depends on the clock, on chance, on files or on facts.
module EvalCases
  module_function

  # [{'area', 'source'}], each source once. An area has the same sources whatever the other areas are.
  def generate(seed, scale = 1.0, only = nil)
    AREAS.flat_map do |area, maker|
      next [] if only && !only.include?(area)

      values = Values.new(Random.new(seed * 7919 + area.sum))
      made = maker.new(values)
      sources(made, (maker::COUNT * scale).round).map { |source| { 'area' => area, 'source' => source } }
    end
  end

  # A maker that has no more different sources ends early.
  def sources(maker, count)
    found = {}
    attempts = 0
    while found.size < count && attempts < count * 4
      attempts += 1
      found[maker.one] = true
    end
    found.keys
  end
end
