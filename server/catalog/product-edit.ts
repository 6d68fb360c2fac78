import { eq } from "drizzle-orm";
import { productLimits } from "../../domain/catalog/product-admin.ts";
import type { ShopContext } from "../context.ts";
import type { Db } from "../platform/database/database.ts";
import { invalidFields, notFoundProblem, type Problem, problem } from "../platform/http/problem.ts";
import { findAdminProduct } from "./admin-queries.ts";
import { products } from "./tables.ts";

/** `before` and `after` contain only the fields that differ, named as in the API. */
export type ProductEdit = {
  ok: true;
  productId: number;
  name: string;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
};
/** `conflict`: the product is newer than the caller's `revision`. `fields` and `message` are messages for the owner. */
export type EditRefusal =
  | { ok: false; reason: "unknown" | "conflict" }
  | { ok: false; reason: "invalid"; fields: Record<string, string> }
  | { ok: false; reason: "impossible"; message: string };

/** Rolls the transaction back; `editInTransaction` returns its `refusal`. */
export class EditRefused extends Error {
  readonly refusal: EditRefusal;
  constructor(refusal: EditRefusal) {
    super("nothing was changed");
    this.refusal = refusal;
  }
}

export const slugTaken = refuseFields({ slug: "Another product has, or had, this web address" });

/** The product name of a family's member includes the size, so both share its maximum length. */
export function nameTooLong(field: "name" | "size"): EditRefusal {
  return refuseFields({
    // Two characters less, because ", " joins name and size.
    [field]: `Name and size can have at most ${productLimits.name - 2} characters together`,
  });
}

export function definedFields<T extends object>(fields: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>;
  };
}

/** Locks a product until the transaction ends. Refuses an unknown product or one with another `revision`. */
export async function lockProduct(tx: Db, productId: number, revision: number | undefined) {
  const [row] = await tx.select().from(products).where(eq(products.id, productId)).for("no key update");
  if (!row) throw new EditRefused({ ok: false, reason: "unknown" });
  if (revision !== undefined && revision !== row.revision) {
    throw new EditRefused({ ok: false, reason: "conflict" });
  }
  return row;
}

/** Runs an edit in a transaction. Returns the refusal if the edit throws `EditRefused` or violates a constraint. */
export async function editInTransaction(
  db: Db,
  change: (tx: Db) => Promise<ProductEdit>,
): Promise<ProductEdit | EditRefusal> {
  try {
    return await db.transaction(change);
  } catch (error) {
    if (error instanceof EditRefused) return error.refusal;
    const refusal = constraintRefusal(error);
    if (refusal) return refusal;
    throw error;
  }
}

/** Slug, SKU and size are unique: of two concurrent edits, the database rejects the second. */
function constraintRefusal(error: unknown): EditRefusal | null {
  const cause: unknown = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (!(cause instanceof Error && "constraint" in cause)) return null;
  return constraintRefusals[String(cause.constraint)] ?? null;
}

const constraintRefusals: Record<string, EditRefusal> = {
  products_sku: refuseFields({ sku: "Another product has this SKU" }),
  products_slug_unique: slugTaken,
  products_family_sizes: refuseFields({ size: "This product already has this size" }),
  products_family_size: refuseFields({ size: "Enter a size: shoppers choose by it" }),
  products_name_length: nameTooLong("size"),
};

function refuseFields(fields: Record<string, string>): EditRefusal {
  return { ok: false, reason: "invalid", fields };
}

/** The API's response to a refused edit. */
export async function editProblem(
  { db }: ShopContext,
  result: EditRefusal,
  productId: number,
): Promise<Problem> {
  switch (result.reason) {
    case "unknown":
      return notFoundProblem("product");
    case "invalid":
      return invalidFields(result.fields);
    case "impossible":
      return problem("invalid_state", result.message);
    case "conflict": {
      const current = await findAdminProduct(db, productId);
      if (!current) return notFoundProblem("product");
      return problem(
        "invalid_state",
        `${current.name} was changed in the meantime, in another window or by somebody else. Nothing was saved.`,
        { current },
      );
    }
  }
}
