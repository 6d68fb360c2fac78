import * as v from "valibot";
import { uuidSchema } from "../shared/uuid.ts";

/** Kinds of things imported from CSV files, in the order of the panel's choice. */
export const importKinds = ["products", "stock", "discounts", "customers", "subscribers"] as const;
export type ImportKind = (typeof importKinds)[number];

export const importLimits = { bytes: 5 * 1024 * 1024, rows: 2_000 } as const;
/** Time within which an import can be undone; afterwards the data for the undo is deleted. */
export const importUndoMinutes = 60;

const rowStates = ["new", "changed", "same", "refused"] as const;
export type ImportRowState = (typeof rowStates)[number];

const importRowSchema = v.object({
  /** Line number in the file, from 1, the header included. */
  line: v.number(),
  label: v.string(),
  state: v.picklist(rowStates),
  /** The imported values, or the reason why the row is refused. */
  text: v.string(),
  /** For a changed row: the replaced values. */
  before: v.nullable(v.string()),
});
export type ImportRow = v.InferOutput<typeof importRowSchema>;

const importCountsSchema = v.object(v.entriesFromList(rowStates, v.number()));
export type ImportCounts = v.InferOutput<typeof importCountsSchema>;

/** Result of a dry run. */
export const importCheckSchema = v.object({
  /** Identifies the file and this result: an import with this key does exactly the same, or nothing. */
  key: v.string(),
  /** The recognized kind of file: "Shopify’s product export". */
  format: v.string(),
  /** Hints for the owner about the file as a whole. */
  notes: v.array(v.string()),
  counts: importCountsSchema,
  rows: v.array(importRowSchema),
});
export type ImportCheck = v.InferOutput<typeof importCheckSchema>;

const keptRowSchema = v.object({ line: v.number(), label: v.string(), reason: v.string() });

/** An import of the last hour. Times ISO 8601 UTC. */
export const importSchema = v.object({
  id: v.string(),
  kind: v.picklist(importKinds),
  at: v.string(),
  counts: importCountsSchema,
  undoUntil: v.string(),
  /** Null if it was not undone. `kept`: the rows that the undo did not change. */
  undone: v.nullable(v.object({ rows: v.number(), kept: v.array(keptRowSchema) })),
});
export type Import = v.InferOutput<typeof importSchema>;

const kind = v.picklist(importKinds, `One of ${importKinds.join(", ")}`);
export const importCheckFormSchema = v.object({ kind });
export const importFormSchema = v.object({
  kind,
  /** Chosen by the caller: a repeated call with the same id imports once. */
  id: v.pipe(uuidSchema, v.toLowerCase()),
  key: v.pipe(
    v.string("Send the key of the check"),
    v.regex(/^\d{1,10}\.[\w-]{43}$/, "Not a key of a check"),
  ),
});

/** "3 new, 1 changed, 2 refused" */
export function countsText(counts: ImportCounts): string {
  const stateTexts = { new: "new", changed: "changed", same: "unchanged", refused: "refused" };
  const parts = rowStates.filter((state) => counts[state] > 0);
  return (
    parts.map((state) => `${counts[state].toLocaleString("en-US")} ${stateTexts[state]}`).join(", ") ||
    "nothing"
  );
}
