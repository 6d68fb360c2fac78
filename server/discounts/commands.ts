import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type * as v from "valibot";
import {
  type AdminDiscount,
  type DiscountChange,
  discountProblems,
  maxAutomaticDiscounts,
  type newDiscountSchema,
} from "../../domain/discounts/discount-form.ts";
import type { DiscountTerms } from "../../domain/discounts/discount-terms.ts";
import { campaigns } from "../campaigns/tables.ts";
import { products } from "../catalog/tables.ts";
import type { WritingContext } from "../context.ts";
import { subscribers } from "../newsletter/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { findDiscount, isAutomaticFull, isCodeTaken } from "./queries.ts";
import { discounts, personalCodes } from "./tables.ts";

export type DiscountResult =
  | { ok: true; before: AdminDiscount | null; discount: AdminDiscount }
  | { ok: false; reason: "unknown" }
  | { ok: false; reason: "invalid"; fields: Record<string, string> }
  /** `message`: for the owner. */
  | { ok: false; reason: "in_use"; message: string };

export async function createDiscount(
  { db, now }: WritingContext,
  input: v.InferOutput<typeof newDiscountSchema>,
): Promise<DiscountResult> {
  const terms = { ...input, value: storedValue(input.kind, input.value ?? 0) };
  return db.transaction(async (tx) => {
    const fields = await termsProblems(tx, terms, null);
    if (fields) return { ok: false, reason: "invalid", fields };
    const [row] = await tx
      .insert(discounts)
      .values({ ...discountColumns(terms), createdAt: now(), updatedAt: now() })
      .onConflictDoNothing()
      .returning({ id: discounts.id });
    // A concurrent request has taken the code.
    if (!row) return { ok: false, reason: "invalid", fields: { code: codeTakenMessage } };
    return success(null, await findDiscount(tx, row.id));
  });
}

/**
 * Edits a discount's terms for future orders. Its code, and whether it applies automatically, cannot change once an order has
 * used it (the order's documents contain the code) or e-mails have promised it.
 */
export async function changeDiscount(
  { db, now }: WritingContext,
  { id, change }: { id: number; change: DiscountChange },
): Promise<DiscountResult> {
  return db.transaction(async (tx) => {
    const before = await lockDiscount(tx, id);
    if (!before) return { ok: false, reason: "unknown" };
    const mergedTerms = { ...before, ...change };
    const terms = { ...mergedTerms, value: storedValue(mergedTerms.kind, mergedTerms.value ?? 0) };
    const fields = await termsProblems(tx, terms, id);
    if (fields) return { ok: false, reason: "invalid", fields };
    const isRenamed = terms.code.toUpperCase() !== before.code.toUpperCase();
    if (isRenamed || terms.automatic !== before.automatic) {
      const [name, kindRefusal] = before.automatic
        ? ["name", "it cannot become a code"]
        : ["code", "it cannot apply automatically"];
      const refusal = isRenamed ? `its ${name} cannot change` : kindRefusal;
      const reason = before.used > 0 ? "Orders were placed with" : "Emails promised";
      if (before.used > 0 || (await wasSent(tx, before))) {
        return {
          ok: false,
          reason: "in_use",
          message: `${reason} ${before.code}: ${refusal}. Switch it off and make a new one.`,
        };
      }
    }
    await tx
      .update(discounts)
      .set({ ...discountColumns(terms), updatedAt: now() })
      .where(eq(discounts.id, id));
    return success(before, await findDiscount(tx, id));
  });
}

/** Deletes a code that no order has used. Used ones can only be switched off, since orders' documents refer to them. */
export async function deleteDiscount(
  { db }: WritingContext,
  { id }: { id: number },
): Promise<DiscountResult> {
  return db.transaction(async (tx) => {
    const before = await lockDiscount(tx, id);
    if (!before) return { ok: false, reason: "unknown" };
    if (before.used > 0) {
      return {
        ok: false,
        reason: "in_use",
        message: `Orders were placed with ${before.code}, so it stays in the records. Switch it off instead.`,
      };
    }
    if (await hasPersonalCodes(tx, id)) {
      return {
        ok: false,
        reason: "in_use",
        message: `Readers were sent codes of their own for ${before.code}. Switch it off instead, and none of them works anymore.`,
      };
    }
    await tx.delete(discounts).where(eq(discounts.id, id));
    return { ok: true, before, discount: before };
  });
}

type Terms = Omit<DiscountTerms, "productNames">;

const codeTakenMessage = "There is a discount with this code already";

/** Locks a discount, so that no order can take a use while uses are counted. */
export async function lockDiscount(tx: Db, id: number): Promise<AdminDiscount | null> {
  await tx.select({ id: discounts.id }).from(discounts).where(eq(discounts.id, id)).for("update");
  return findDiscount(tx, id);
}

/** Whether a newsletter or the welcome e-mail has sent the code, or personal codes with its terms. */
async function wasSent(tx: Db, { id, automatic, code }: AdminDiscount): Promise<boolean> {
  if (automatic) return false;
  if (await hasPersonalCodes(tx, id)) return true;
  const isSent = and(eq(campaigns.code, code.toUpperCase()), isNotNull(campaigns.startedAt));
  const isWelcome = eq(sql`upper(${subscribers.welcomeCode})`, code.toUpperCase());
  return (await tx.$count(campaigns, isSent)) > 0 || (await tx.$count(subscribers, isWelcome)) > 0;
}

async function hasPersonalCodes(tx: Db, id: number): Promise<boolean> {
  return (await tx.$count(personalCodes, eq(personalCodes.discountId, id))) > 0;
}

async function termsProblems(
  tx: Db,
  terms: Terms,
  ownId: number | null,
): Promise<Record<string, string> | null> {
  const fields = discountProblems(terms);
  if (await isCodeTaken(tx, terms.code, ownId)) fields.code = codeTakenMessage;
  if (!(await doProductsExist(tx, terms.productIds))) fields.productIds = "There is no such product";
  if (terms.automatic && terms.active && (await isAutomaticFull(tx, ownId))) {
    fields.automatic = `${maxAutomaticDiscounts} discounts apply by themselves already. Switch one off first.`;
  }
  return Object.keys(fields).length > 0 ? fields : null;
}

/** Locks the products against deletion until the transaction ends; afterwards the discount protects them. */
async function doProductsExist(tx: Db, ids: readonly number[]): Promise<boolean> {
  if (ids.length === 0) return true;
  const rows = await tx
    .select({ id: products.id })
    .from(products)
    .where(inArray(products.id, ids))
    .for("key share");
  return rows.length === ids.length;
}

function success(before: AdminDiscount | null, discount: AdminDiscount | null): DiscountResult {
  if (!discount) throw new Error("A discount was missing in the transaction that wrote it");
  return { ok: true, before, discount };
}

function storedValue(kind: DiscountTerms["kind"], value: number): number {
  return kind === "free_shipping" ? 0 : value;
}

function discountColumns(terms: Terms) {
  const {
    code,
    automatic,
    kind,
    value,
    minimumUnits,
    limitTotal,
    limitPerCustomer,
    firstOrderOnly,
    active,
    startsAt,
    endsAt,
  } = terms;
  return {
    code,
    automatic,
    kind,
    value,
    productIds: [...terms.productIds],
    minimumUnits,
    minimumSubtotalCents: terms.minimumSubtotal,
    startsAt: startsAt === null ? null : new Date(startsAt),
    endsAt: endsAt === null ? null : new Date(endsAt),
    limitTotal,
    limitPerCustomer,
    firstOrderOnly,
    active,
  };
}
