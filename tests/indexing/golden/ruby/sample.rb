# frozen_string_literal: true

require "json"
require_relative "lib/tides"
load "config/berths.rb"
autoload :Charts, "harbour/charts"

# Everything about quays and ships.
# Second line of the comment.
module Harbour
  VERSION = "1.4.0"
  DEFAULTS = {
    depth: 4,
    note: "def ghost; end"
  }.freeze

  class Error < StandardError; end

  # A place where one ship can lie! It knows its depth.
  class Berth
    include Comparable
    extend Forwardable

    attr_reader :id, :depth
    attr_accessor :ship

    MAX = 12

    # Builds a berth from a chart line.
    def initialize(id, depth: 4)
      @id = id
      @depth = depth
    end

    def <=>(other)
      depth <=> other.depth
    end

    def free? = ship.nil?

    def moor!(vessel)
      self.ship = vessel
    end

    class << self
      # Reads "id;depth".
      def parse(line)
        new(*line.split(";"))
      end
    end

    def self.[](id)
      all.find { |b| b.id == id }
    end

    define_method(:inspect_depth) do |unit|
      "#{depth} #{unit}"
    end

    alias_method :len, :length
    alias size len

    private

    def secret
      <<~TEXT
        def not_a_method
        end
        class NotAClass
      TEXT
    end

    public

    def open_again; end

    private def hidden_inline
      1
    end

    def late; end
    private :late

    protected

    def shared; end
  end

  module Pilot
    module_function

    def guide(berth)
      berth.id
    end
  end

  def broken(a)
    x = = 3
  end

  Point = Struct.new(:x, :y) do
    def norm
      Math.sqrt(x**2 + y**2)
    end
  end
end

=begin
def commented_out
end
=end

class Harbour::Berth::Mooring
  def tighten(ropes)
    ropes.each { |rope| rope.pull }
  end
end

def top_level(name)
  puts name
end
