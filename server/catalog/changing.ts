import { eq } from "drizzle-orm";
import { productLimits } from "../../domain/catalog/product-admin.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { products } from "./tables.ts";

/** `before` and `after` hold what changed alone, named as in the API. */
export type Changed = {
  ok: true;
  productId: number;
  name: string;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
};
/** `conflict`: it was changed since the revision that was named. `fields` and `message` are sentences for the owner. */
export type NotChanged =
  | { ok: false; reason: "unknown" | "conflict" }
  | { ok: false; reason: "invalid"; fields: Record<string, string> }
  | { ok: false; reason: "impossible"; message: string };

/** Ends a transaction with nothing written. */
export class Refused extends Error {
  readonly refusal: NotChanged;
  constructor(refusal: NotChanged) {
    super("nothing was changed");
    this.refusal = refusal;
  }
}

export const slugTaken = invalid({ slug: "Another product has, or had, this address" });

/** Name and size of a product in a family have to fit into one name. */
export function tooLong(field: "name" | "size"): NotChanged {
  return invalid({ [field]: `Name and size have at most ${productLimits.name - 2} characters together` });
}

/** Without what was left out: the columns have their own defaults. */
export function written<T extends object>(given: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>;
  };
}

/** Holds a product until the transaction ends. Refuses one that is not there, or not of the `revision` that is named. */
export async function lockProduct(tx: Db, productId: number, revision: number | undefined) {
  const [row] = await tx.select().from(products).where(eq(products.id, productId)).for("no key update");
  if (!row) throw new Refused({ ok: false, reason: "unknown" });
  if (revision !== undefined && revision !== row.revision) {
    throw new Refused({ ok: false, reason: "conflict" });
  }
  return row;
}

/** A change in a transaction of its own, with what it refused, or the database did, as its answer. */
export async function attempt(
  db: Database,
  change: (tx: Db) => Promise<Changed>,
): Promise<Changed | NotChanged> {
  try {
    return await db.transaction(change);
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    const clash = clashOf(error);
    if (clash) return clash;
    throw error;
  }
}

/** Two products cannot have one address, SKU or size: the database says so of whoever comes second. */
function clashOf(error: unknown): NotChanged | null {
  const cause: unknown = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (!(cause instanceof Error && "constraint" in cause)) return null;
  return clashes[String(cause.constraint)] ?? null;
}

const clashes: Record<string, NotChanged> = {
  products_sku: invalid({ sku: "Another product has this SKU" }),
  products_slug_unique: slugTaken,
  products_family_sizes: invalid({ size: "There is this size of it already" }),
  products_family_size: invalid({ size: "Shoppers choose it by its size: enter one" }),
  products_name_length: tooLong("size"),
};

function invalid(fields: Record<string, string>): NotChanged {
  return { ok: false, reason: "invalid", fields };
}
