import type { ImportRow } from "../../domain/imports/import.ts";
import type { ShopContext } from "../context.ts";
import type { Db } from "../platform/database/database.ts";
import type { Line } from "./lines.ts";

/** The shop inside the import's transaction. */
export type ImportContext = Omit<ShopContext, "db"> & {
  db: Db;
  importId: string;
  /** The last movement of stock that the dry run saw. */
  lastMovement: number;
  /** Refuses a row whose key an earlier row had, and remembers it otherwise. `what`: "product". */
  refuseRepeated(what: string, key: string, line: Line): void;
};

/** The outcome of a row; `step`: the facts that the kind's `undo` needs. */
export type RowResult = Pick<ImportRow, "label" | "text"> &
  ({ state: "new"; step: unknown } | { state: "changed"; before: string; step: unknown } | { state: "same" });

/** A file's layout, recognized by its columns. */
export type Format<Row> = {
  name: string;
  /** Titles that the file must have, each in one of these spellings. */
  needs: readonly (readonly string[])[];
  /** The rows of the file; several lines may become one, or one several. */
  rowsOf(lines: readonly Line[]): Row[];
  /** Hints for the owner about files of this layout. */
  notes?(lines: readonly Line[]): string[];
};

/** One kind of thing to import. Rows are put in one after the other, and a refused one leaves no trace. */
export type ImportedKind<Row> = {
  /** The first that fits is taken. */
  formats: readonly Format<Row>[];
  lineOf(row: Row): Line;
  /** Names the row's product or code in the file's words. */
  labelOf(row: Row): string;
  /** No row depends on another: a dry run keeps none, and none of its locks. */
  areRowsIndependent: boolean;
  /** Puts in the row by the shop's own commands. Throws `RowRefused`. */
  put(ctx: ImportContext, row: Row): Promise<RowResult>;
  /** Puts rows into the order in which their locks must be taken. */
  sort?(ctx: ImportContext, rows: Row[]): Promise<Row[]>;
} & (
  | {
      write?: undefined;
      /** Undoes a row. Throws `RowRefused`, if it was changed or used since. */
      undo(ctx: ImportContext, step: never): Promise<void>;
    }
  | {
      /**
       * For rows that orders wait for: `put` only reads, and this writes the changed rows at the import's end, by a few statements.
       * Returns what `undo` needs of each; null: the shop has changed since they were read.
       */
      write(ctx: ImportContext, steps: never[]): Promise<unknown[] | null>;
      /** Undoes all rows. Returns for each why it is kept, or null. */
      undo(ctx: ImportContext, steps: never[]): Promise<(string | null)[]>;
    }
);
