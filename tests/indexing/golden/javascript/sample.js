/* License: none. */
import harbour, { quay as dock, pier } from "./harbour.js";
import * as tides from "tides";
import "./polyfill";
export { ferry } from "./ferry";
export * from "./signals";
const path = require("path");
const { join } = require("node:path");
const lazy = () => import("./lazy.js");

/**
 * Counts seats. Children count.
 * @param {number} people
 */
export function seats(people) {
  const inner = (n) => n + 1;
  function nested() {
    return 1;
  }
  people.map((p) => p + 1).forEach(function (x) {
    console.log(x);
  });
  return inner(people);
}

// function commentedOut() {}
const text = `function inString() {} ${seats(1)}`;
export const MAX_CARS = 48;
let count = 0;
var legacy = 1, second = 2;

export default class Ferry extends Ship {
  static #secret = 1;
  deck = 0;
  onLoad = (event) => {
    this.deck += 1;
  };

  constructor(name) {
    super(name);
  }

  // Free places.
  get free() {
    return 1;
  }

  async *load(cars) {
    yield* cars;
  }
}

const api = {
  start() {
    return 1;
  },
  stop: () => 2,
};

export const book = async (car) => {
  if (car) {
    switch (car.kind) {
      case "van":
        return 2;
      default:
        return 1;
    }
  }
};

function* numbers() {
  yield 1;
}

Ferry.prototype.sink = function () {};
module.exports.helper = function (a) {
  return a;
};
exports.other = (a) => a;
module.exports = { numbers, api };

describe("ferry", () => {
  const fixture = 1;
  it("floats", () => {
    expect(fixture).toBe(1);
  });
});

function halfWritten(a {
  const broken = [1, 2;

export function afterBreak() {
  return 2;
}

// Hangs on the application.
app.launch = function launch() {
  return 1;
};
app.dock = async (pier) => {
  await pier;
};
module.exports = function harbour(port) {
  return port;
};
module.exports = { list: function () {}, load(x) { return x; }, size: 3 };
Ferry.prototype = { float: () => true };
define(app, 'speed', function speed() {
  return 2;
});
function inner() {
  app.local = function () {};
}
