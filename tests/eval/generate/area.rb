# frozen_string_literal: true

require 'forwardable'
require_relative 'values'

module EvalCases
  AREAS = {} # rubocop:disable Style/MutableConstant

  # Generates the sources of one area; a subclass defines their number (`COUNT`) and generates each (`one`).
  class Area
    extend Forwardable
    def_delegators :@values, *(Values.public_instance_methods(false) - [:random])

    def self.named(name)
      AREAS[name] = self
    end

    def initialize(values)
      @values = values
    end
  end
end
