import { createHash } from "node:crypto";
import { and, desc, eq, gt, inArray, lte, type SQL, sql } from "drizzle-orm";
import type * as v from "valibot";
import {
  type Import,
  type ImportCheck,
  type ImportCounts,
  type ImportKind,
  type ImportRow,
  type importFormSchema,
  importLimits,
  importUndoMinutes,
} from "../../domain/imports/import.ts";
import type { ShopContext } from "../context.ts";
import { readCsvFile } from "../platform/csv-file.ts";
import type { Db } from "../platform/database/database.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import { customersKind } from "./customers.ts";
import { discountsKind } from "./discounts.ts";
import type { ImportContext, ImportedKind } from "./kind.ts";
import { namedLines, RowRefused } from "./lines.ts";
import { productsKind } from "./products.ts";
import { lastMovement, stockKind } from "./stock.ts";
import { subscribersKind } from "./subscribers.ts";
import { imports, type UndoRow } from "./tables.ts";

/** `problem`: a message for the owner. `isOutdated`: the result would differ from the dry run's. */
type Refusal = { ok: false; problem: string; isOutdated?: true };
type Input = { kind: ImportKind; bytes: Buffer };

/** Dry run: imports the file and rolls everything back. */
export async function checkImport(
  ctx: ShopContext,
  input: Input,
): Promise<{ ok: true; check: ImportCheck } | Refusal> {
  return inTransaction(ctx, async (tx) => {
    await lockImports(tx);
    const lastMovementId = await lastMovement(tx);
    const result = await importRows(ctx, tx, {
      ...input,
      importId: crypto.randomUUID(),
      lastMovementId,
      isDryRun: true,
    });
    throw new RollBack(result);
  });
}

/**
 * Imports the file with the result of its dry run, or nothing if the file or the shop has changed since. A repeated call returns
 * the first call's import.
 */
export async function applyImport(
  ctx: ShopContext,
  { id, key, ...input }: Input & v.InferOutput<typeof importFormSchema>,
): Promise<{ ok: true; import: Import; isRepeat: boolean } | Refusal> {
  return inTransaction(ctx, async (tx) => {
    await lockImports(tx);
    const [earlierImport] = await tx.select().from(imports).where(eq(imports.id, id));
    if (earlierImport) {
      if (earlierImport.key !== key) throw new RollBack(outdatedRefusal);
      return { ok: true, import: toImport(earlierImport), isRepeat: true };
    }
    const result = await importRows(ctx, tx, {
      ...input,
      importId: id,
      lastMovementId: Number(key.split(".")[0]),
      isDryRun: false,
    });
    if (!result.ok) throw new RollBack(result);
    const { check, context } = result;
    if (check.key !== key) throw new RollBack(outdatedRefusal);
    if (result.undoRows.length === 0)
      throw new RollBack({ ok: false, problem: "Nothing in this file is new or changed." });
    const { kind } = input;
    const undoRows = await writeRows(kinds[kind], context, result.undoRows);
    if (undoRows === null) throw new RollBack(outdatedRefusal);
    const values = { id, kind, key, at: ctx.now(), counts: check.counts, undoRows, undone: null };
    await tx.insert(imports).values(values);
    return { ok: true, import: toImport(values), isRepeat: false };
  });
}

/** Null if the shop has changed since the rows were read. */
async function writeRows(
  kind: ImportedKind<unknown>,
  context: ImportContext,
  rows: UndoRow[],
): Promise<UndoRow[] | null> {
  if (!kind.write) return rows;
  const steps = await kind.write(context, rows.map(({ step }) => step) as never[]);
  return steps && rows.map((row, index) => ({ ...row, step: steps[index] }));
}

const outdatedRefusal: Refusal = {
  ok: false,
  isOutdated: true,
  problem: "The file or the shop has changed since it was checked. Nothing was imported.",
};

/** Thrown to roll a transaction back; `inTransaction` then returns `result`. */
class RollBack extends Error {
  readonly result: unknown;
  constructor(result: unknown) {
    super("the transaction is rolled back");
    this.result = result;
  }
}

async function inTransaction<T>({ db }: ShopContext, work: (tx: Db) => Promise<T>): Promise<T> {
  try {
    return await db.transaction(work);
  } catch (error) {
    if (error instanceof RollBack) return error.result as T;
    throw error;
  }
}

/** Undoes all rows except those changed or used since. A repeated call returns the first call's result; null if it is too late. */
export async function undoImport(
  ctx: ShopContext,
  id: string,
): Promise<{ import: Import; undone: NonNullable<Import["undone"]>; isRepeat: boolean } | null> {
  return ctx.db.transaction(async (tx) => {
    await lockImports(tx);
    const [storedImport] = await tx
      .select()
      .from(imports)
      .where(and(eq(imports.id, id), isRecent(ctx)));
    if (!storedImport) return null;
    if (storedImport.undone)
      return { import: toImport(storedImport), undone: storedImport.undone, isRepeat: true };
    const kind: ImportedKind<unknown> = kinds[storedImport.kind];
    const undone: NonNullable<Import["undone"]> = { rows: 0, kept: [] };
    // The last row first, because it may depend on an earlier one; but independent rows in the order of the import, which locks
    // in it.
    const rows = kind.areRowsIndependent ? storedImport.undoRows : storedImport.undoRows.toReversed();
    const context = { ...ctx, importId: id, lastMovement: 0, refuseRepeated: () => undefined };
    const steps = rows.map(({ step }) => step) as never[];
    const reasons = kind.write ? await kind.undo({ ...context, db: tx }, steps) : [];
    if (!kind.write)
      for (const step of steps)
        reasons.push(
          (await catchRefusal(tx, (nestedTx) => kind.undo({ ...context, db: nestedTx }, step))) ?? null,
        );
    for (const [index, { line, label }] of rows.entries()) {
      const reason = reasons[index] ?? null;
      if (reason === null) undone.rows += 1;
      else undone.kept.push({ line, label, reason });
    }
    undone.kept.sort((a, b) => a.line - b.line);
    await tx.update(imports).set({ undone, undoRows: [] }).where(eq(imports.id, id));
    return { import: toImport({ ...storedImport, undone }), undone, isRepeat: false };
  });
}

/** The imports of the last hour, undone or not, newest first. */
export async function listImports(ctx: ShopContext): Promise<Import[]> {
  const rows = await ctx.db.select().from(imports).where(isRecent(ctx)).orderBy(desc(imports.at)).limit(50);
  return rows.map(toImport);
}

/** Deletes the data for undoing imports, once it is too late to undo them. */
export async function purgeImports({ db, now }: ShopContext): Promise<void> {
  await deleteInBatches(db, imports, lte(imports.at, undoEndedAt(now())));
}

/**
 * Erases an address (in lower case) and its customer's former details from the data for undoing imports. The undo still lists the
 * rows.
 */
export async function eraseImportedRows(tx: Db, email: string): Promise<void> {
  const eraseFrom = (rows: SQL) => sql`(select coalesce(jsonb_agg(
      case when lower(entry ->> 'label') = ${email} then jsonb_set(entry, '{label}', '"Deleted"') #- '{step,customer,before}' else entry end
      order by position), '[]') from jsonb_array_elements(${rows}) with ordinality as entries (entry, position))`;
  await tx
    .update(imports)
    .set({
      undoRows: eraseFrom(sql`${imports.undoRows}`),
      undone: sql`jsonb_set(${imports.undone}, '{kept}', ${eraseFrom(sql`${imports.undone} -> 'kept'`)})`,
    })
    .where(inArray(imports.kind, ["customers", "subscribers"]));
}

const undoEndedAt = (now: Date) => new Date(now.getTime() - importUndoMinutes * 60_000);
const isRecent = ({ now }: ShopContext) => gt(imports.at, undoEndedAt(now()));

function toImport({ id, kind, at, counts, undone }: typeof imports.$inferSelect): Import {
  const undoUntil = new Date(at.getTime() + importUndoMinutes * 60_000).toISOString();
  return { id, kind, at: at.toISOString(), counts, undoUntil, undone };
}

/** Serializes imports, their undo and erasures, so that each sees what the earlier ones wrote. */
export async function lockImports(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('imports', 0))`);
}

/** Reads the file and imports its rows, each in a nested transaction, so that a refused row leaves no trace. */
async function importRows(
  ctx: ShopContext,
  tx: Db,
  {
    kind: name,
    bytes,
    importId,
    lastMovementId,
    isDryRun,
  }: Input & {
    importId: string;
    lastMovementId: number;
    isDryRun: boolean;
  },
): Promise<{ ok: true; check: ImportCheck; undoRows: UndoRow[]; context: ImportContext } | Refusal> {
  const kind: ImportedKind<unknown> = kinds[name];
  const file = readCsvFile(bytes, importLimits.rows);
  if (!file.ok) return file;
  const { titles, lines } = namedLines(file.records);
  const [firstLine] = lines;
  if (!firstLine) return { ok: false, problem: "The file has no rows below its head." };
  const format = kind.formats.find(({ needs }) => needs.every((spellings) => firstLine.has(...spellings)));
  if (!format) return { ok: false, problem: unknownColumns(kind, titles) };
  const earlierLines = new Map<string, number>();
  const context: ImportContext = {
    ...ctx,
    db: tx,
    importId,
    lastMovement: lastMovementId,
    refuseRepeated(what, key, { lineNumber }) {
      const earlierLine = earlierLines.get(key);
      if (earlierLine !== undefined) throw new RowRefused(`This ${what} is in line ${earlierLine} already.`);
      earlierLines.set(key, lineNumber);
    },
  };
  const rows: ImportRow[] = [];
  const undoRows: UndoRow[] = [];
  const fileRows = format.parseRows(lines);
  for (const row of (await kind.sort?.(context, fileRows)) ?? fileRows) {
    const { lineNumber: line } = kind.rowLine(row);
    const isKept = !(isDryRun && kind.areRowsIndependent);
    const result = await catchRefusal(
      tx,
      (nestedTx) => kind.importRow({ ...context, db: nestedTx }, row),
      isKept,
    );
    if (typeof result === "string") {
      rows.push({
        line,
        label: kind.rowLabel(row) || "No name",
        state: "refused",
        text: result,
        before: null,
      });
      continue;
    }
    const { label, text, state } = result;
    rows.push({ line, label, state, text, before: state === "changed" ? result.before : null });
    if (result.state !== "same") undoRows.push({ line, label: result.label, step: result.step });
  }
  // Checks deferred constraints now, because a dry run never commits.
  await tx.execute(sql`set constraints all immediate`);
  rows.sort((a, b) => a.line - b.line);
  const counts: ImportCounts = { new: 0, changed: 0, same: 0, refused: 0 };
  for (const { state } of rows) counts[state] += 1;
  const encodingNote = `The file is not UTF-8. It was read as ${file.encoding}: look at accents and signs before you import it.`;
  const notes = [
    ...(file.encoding === "Windows-1252" ? [encodingNote] : []),
    ...(format.notes?.(lines) ?? []),
  ];
  const digest = createHash("sha256")
    .update(bytes)
    .update(JSON.stringify([name, rows]))
    .digest("base64url");
  return {
    ok: true,
    check: { key: `${lastMovementId}.${digest}`, format: format.name, notes, counts, rows },
    undoRows,
    context,
  };
}

/** The result of `work`, or the message of its `RowRefused`. Its writes are rolled back if it refuses, or if `isKept` is false. */
async function catchRefusal<T>(
  tx: Db,
  work: (nestedTx: Db) => Promise<T>,
  isKept = true,
): Promise<T | string> {
  try {
    return await tx.transaction(async (nestedTx) => {
      const result = await work(nestedTx);
      if (!isKept) throw new RollBack(result);
      return result;
    });
  } catch (error) {
    if (error instanceof RowRefused) return error.message;
    if (error instanceof RollBack) return error.result as T;
    throw error;
  }
}

function unknownColumns(kind: ImportedKind<unknown>, titles: readonly string[]): string {
  const otherKind = Object.entries(kinds).find(([, { formats }]) =>
    formats.some(({ needs }) =>
      needs.every((spellings) =>
        spellings.some((spelling) => titles.some((title) => title.toLowerCase() === spelling.toLowerCase())),
      ),
    ),
  );
  const neededColumns = kind.formats
    .at(-1)
    ?.needs.map(([title]) => `“${title}”`)
    .join(" and ");
  const hint =
    otherKind && otherKind[1] !== kind
      ? ` It looks like a file of ${kindWords[otherKind[0] as ImportKind]}.`
      : "";
  return `The file needs the columns ${neededColumns} in its first line.${hint}`;
}

/** Each kind in words, for the activity log and for hints. */
export const kindWords: Record<ImportKind, string> = {
  products: "products",
  stock: "stock counts",
  discounts: "discount codes",
  customers: "customers",
  subscribers: "subscribers",
};

// biome-ignore lint/suspicious/noExplicitAny: each kind reads its own rows
const kinds: Record<ImportKind, ImportedKind<any>> = {
  products: productsKind,
  stock: stockKind,
  discounts: discountsKind,
  customers: customersKind,
  subscribers: subscribersKind,
};
