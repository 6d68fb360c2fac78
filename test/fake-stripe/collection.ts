import { randomBytes } from "node:crypto";
import { StripeProblem } from "./problem.ts";

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString("hex")}`;
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

export function find<T>(all: Map<string, T>, id: string, kind: string): T {
  const object = all.get(id);
  if (!object) throw StripeProblem.missing(kind, id);
  return object;
}
