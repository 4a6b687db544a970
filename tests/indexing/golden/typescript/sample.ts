import type { Tariff } from "./tariff";
import fs = require("fs");
import { Quay, type Pier } from "@harbour/quay";

/** Price of a car. */
export function price(car: string): number;
export function price(car: number): number;
export function price(car: string | number): number {
  return Number(car);
}

export const label = (name: string): Promise<string> => `class Fake {} ${name}`;

const slow = async function (car: Car) {
  return car;
};

type CarId = string & { readonly brand: unique symbol };

export interface Ship<T> extends Floating {
  readonly size: number;
  load(car: T): void;
  new (name: string): Ship<T>;
}

// A base for all ships.
export abstract class BaseShip implements Ship<Car> {
  private readonly cars: Car[] = [];
  static LIMIT = 3;

  constructor(protected name: string) {}

  abstract step(): void;

  @log()
  run<T>(input: T): T {
    return input;
  }

  handler = (event: Event): void => {
    const local = 1;
  };

  get speed(): number {
    return 1;
  }
  set speed(value: number) {}
}

@Component({ selector: "deck" })
export class Deck {}

export enum Colour {
  Red,
  Blue = "blue",
}

export namespace Units {
  export const KILO = 1000;
  export function toKilo(n: number) {
    return n / KILO;
  }
}

declare module "ships" {
  export function launch(): void;
}

declare const ENV: string;

function outer() {
  interface Hidden {
    a: number;
  }
  enum Local {
    A,
  }
}

export default function DefaultShip() {}

function listed() {}
export { listed };

export function torn(a: string {
  if (a) {

export class AfterBreak {
  go(): void {}
}
