local json = require("json")
local tides = require "harbour.tides"
local charts = require('harbour.charts').load
require("side.effects")

--- Everything about quays.
-- @module berths
local M = {}

local SAFETY_MARGIN <const> = 0.5
VERSION = "1.4.0"

M.NONE = "none"

--- A place where one ship can lie. Built from the chart.
-- @param id string
local Berth = {}
Berth.__index = Berth

--- Builds a berth from its name.
function Berth.new(id, depth)
  local self = setmetatable({}, Berth)
  self.id = id
  return self
end

function Berth:moor(ship)
  local function tighten(rope)
    return rope + 1
  end
  self.ship = ship
  return tighten(1), "function ghost() end"
end

-- Reads "id;depth".
local function parse(line)
  local text = [[
function notAFunction()
end
]]
  return text .. line
end

M.parse = function(line)
  return parse(line)
end

local guide = function(berth)
  return berth.id
end

M.handlers = {
  open = function(berth)
    return berth
  end,
  close = nil,
}

--[[
function commented_out()
end
]]

-- function also_commented_out() end

function broken(a,
  local x = = 3
end

---Deepest berth first! Ties keep their order.
---@param berths table
---@return table
function M.util.deepest(berths)
  table.sort(berths, function(a, b) return a.depth > b.depth end)
  return berths[1]
end

function top_level(name)
  print(name)
end

return M
