# frozen_string_literal: true

require_relative 'generate/area'
require_relative 'generate/values'
Dir[File.join(__dir__, 'generate', 'areas', '*.rb')].sort.each { |file| require file }

# Generates sources for evaluation, deterministically from a seed.
#
# Their values do not depend on the clock, random numbers, files or facts.
module EvalCases
  module_function

  # [{'area', 'source'}], without duplicates. The sources of an area do not depend on other areas.
  def generate(seed, scale = 1.0, only = nil)
    AREAS.flat_map do |area, maker|
      next [] if only && !only.include?(area)

      values = Values.new(Random.new(seed * 7919 + area.sum))
      made = maker.new(values)
      sources(made, (maker::COUNT * scale).round).map { |source| { 'area' => area, 'source' => source } }
    end
  end

  # A generator without more distinct sources ends early.
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
