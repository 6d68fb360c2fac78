declare module "pg-copy-streams" {
  import type { Readable, Writable } from "node:stream";
  import type { Submittable } from "pg";

  /** The rows of a `copy ... to stdout`. `rowCount` is set once the next query has returned. */
  export function to(text: string): Readable & Submittable & { rowCount: number };
  /** Takes the rows of a `copy ... from stdin`. */
  export function from(text: string): Writable & Submittable & { rowCount: number };
}
