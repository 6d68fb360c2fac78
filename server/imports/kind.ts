import type { ImportRow } from "../../domain/imports/import.ts";
import type { ShopContext } from "../context.ts";
import type { Db } from "../platform/database/database.ts";
import type { Line } from "./lines.ts";

/** The shop's context in the import's transaction. */
export type ImportContext = Omit<ShopContext, "db"> & {
  db: Db;
  importId: string;
  /** The last movement of stock that the dry run saw. */
  lastMovement: number;
  /** Refuses a row with the key of an earlier row; otherwise records the key. `what`: "product". */
  refuseRepeated(what: string, key: string, line: Line): void;
};

/** The result of a row; `step`: the data that the kind's `undo` needs. */
export type RowResult = Pick<ImportRow, "label" | "text"> &
  ({ state: "new"; step: unknown } | { state: "changed"; before: string; step: unknown } | { state: "same" });

/** A file's layout, recognized by its columns. */
export type Format<Row> = {
  name: string;
  /** Columns that the file must have, each with one of these titles. */
  needs: readonly (readonly string[])[];
  /** The rows of the file; several lines may form one row, and one line several rows. */
  parseRows(lines: readonly Line[]): Row[];
  /** Hints for the owner about files of this layout. */
  notes?(lines: readonly Line[]): string[];
};

/** One kind of import. Rows are imported one after the other, and a refused row leaves no trace. */
export type ImportedKind<Row> = {
  /** The first of these formats that matches the file is used. */
  formats: readonly Format<Row>[];
  rowLine(row: Row): Line;
  /** The row's product or code as written in the file. */
  rowLabel(row: Row): string;
  /** Whether no row depends on another, so that a dry run rolls back each row and releases its locks. */
  areRowsIndependent: boolean;
  /** Imports the row with the shop's own commands. Throws `RowRefused`. */
  importRow(ctx: ImportContext, row: Row): Promise<RowResult>;
  /** Sorts rows in the order in which their locks must be taken. */
  sort?(ctx: ImportContext, rows: Row[]): Promise<Row[]>;
} & (
  | {
      write?: undefined;
      /** Undoes a row. Throws `RowRefused` if it was changed or used since. */
      undo(ctx: ImportContext, step: never): Promise<void>;
    }
  | {
      /**
       * For rows that orders wait for: `importRow` only reads, and this writes the changed rows at the import's end in a few
       * statements. Returns the data that `undo` needs for each; null if the shop has changed since they were read.
       */
      write(ctx: ImportContext, steps: never[]): Promise<unknown[] | null>;
      /** Undoes all rows. Returns for each row why it is kept, or null if it was undone. */
      undo(ctx: ImportContext, steps: never[]): Promise<(string | null)[]>;
    }
);
