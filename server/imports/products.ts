import { createHash } from "node:crypto";
import { and, asc, eq, isNull, or, sql } from "drizzle-orm";
import { newProductSchema, priceFrom } from "../../domain/catalog/product-admin.ts";
import { newSizeSchema } from "../../domain/catalog/product-family.ts";
import { unitsText } from "../../domain/inventory/stock.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { changePrice, changeProduct, createProduct } from "../catalog/commands.ts";
import { addSize, lockFamilies } from "../catalog/families/families.ts";
import { deleteProduct } from "../catalog/lifecycle-api.ts";
import type { EditRefusal, ProductEdit } from "../catalog/product-edit.ts";
import { productBundles, productFamilies, productImages, products } from "../catalog/tables.ts";
import { stockMovements } from "../inventory/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { findProduct } from "./find-product.ts";
import type { ImportContext, ImportedKind, RowResult } from "./kind.ts";
import { fieldsText, type Line, parseValue, RowRefused } from "./lines.ts";
import { productColumns as columns, productFormats, refusedTitle } from "./product-files.ts";

/** `before`: the replaced values; null for a new product. `digest`: hash of the product as the import left it. */
type Step = { productId: number; digest: string; before: Fields | null };
type Fields = Record<string, unknown>;

/**
 * Products with sizes, matched by SKU, otherwise by name and size. New products are hidden unless the file publishes them. Existing
 * products keep their stock (stock counts have a separate import), name and size, and stay published or hidden.
 */
export const productsKind: ImportedKind<Line> = {
  areRowsIndependent: false,
  formats: productFormats,
  rowLine: (line) => line,
  rowLabel: (line) => [line.text(columns.name), line.text(columns.size)].filter(Boolean).join(", "),
  /** Edits of products take this lock before any other. */
  async sort({ db }, lines) {
    await lockFamilies(db);
    return lines;
  },
  async importRow(ctx, line) {
    const refusal = line.text(refusedTitle);
    if (refusal) throw new RowRefused(refusal);
    const [sku, name, size] = [line.text(columns.sku), line.text(columns.name), line.text(columns.size)];
    if (name === "") throw new RowRefused("It has no name.");
    ctx.refuseRepeated("product", sku.toLowerCase() || `${name}\n${size}`.toLowerCase(), line);
    const existingProduct = await findProduct(ctx.db, { sku, name, size });
    return existingProduct ? changeExisting(ctx, line, existingProduct) : addProduct(ctx, line);
  },
  async undo(ctx, { productId, digest, before }: Step) {
    await lockFamilies(ctx.db);
    const currentDigest = await readDigest(ctx.db, productId);
    if (currentDigest === null) throw new RowRefused("It was deleted since.");
    if (currentDigest !== digest) throw new RowRefused("It was changed since.");
    if (before !== null) {
      const { price, ...fields } = before;
      if (Object.keys(fields).length > 0) requireSuccess(await changeProduct(ctx, { productId, ...fields }));
      if (typeof price === "number") requireSuccess(await changePrice(ctx, { productId, price }));
      return;
    }
    for (const [table, what] of [
      [productImages, "Pictures"],
      [productBundles, "Bundles"],
    ] as const) {
      if ((await ctx.db.$count(table, eq(table.productId, productId))) > 0)
        throw new RowRefused(`${what} were added since.`);
    }
    const isAdjustment = and(eq(stockMovements.productId, productId), eq(stockMovements.kind, "adjusted"));
    if ((await ctx.db.$count(stockMovements, isAdjustment)) > 0)
      throw new RowRefused("Its stock was changed since.");
    requireSuccess(await changeProduct(ctx, { productId, published: false }));
    const deletion = await deleteProduct(ctx, productId);
    if (deletion && !deletion.ok) throw new RowRefused(deletion.message);
  },
};

/** Adds a product, or a size of the one with this name. */
async function addProduct(ctx: ImportContext, line: Line): Promise<RowResult> {
  const input = { ...productInput(line), published: line.yesNo(columns.published) ?? false };
  const size = line.text(columns.size);
  const sibling = size === "" ? null : await findSibling(ctx.db, line.text(columns.name));
  const { productId, name } = requireSuccess(
    sibling === null
      ? await createProduct(ctx, parseValue(newProductSchema, input, columns))
      : await addSize(ctx, {
          productId: sibling.id,
          ...parseValue(newSizeSchema, { ...input, pictures: false }, columns),
        }),
  );
  const stock = line.wholeNumber(columns.stock) ?? 0;
  const price = formatCents(line.money(columns.price) ?? 0);
  const step: Step = { productId, digest: (await readDigest(ctx.db, productId)) ?? "", before: null };
  return {
    label: sibling === null && size !== "" ? `${name}, ${size}` : name,
    text: `${sibling === null ? "" : `A new size${sibling.size ? `, beside ${sibling.size}` : ""}: `}${price}, ${unitsText(stock)}, ${input.published ? "published" : "hidden"}.`,
    state: "new",
    step,
  };
}

/** Changes the fields whose columns the file has. */
async function changeExisting(
  ctx: ImportContext,
  line: Line,
  { id: productId, name: label, sku: existingSku }: typeof products.$inferSelect,
): Promise<RowResult> {
  const { name: _, size: _size, sku, stock: _stock, price, ...otherValues } = productInput(line);
  const values = existingSku === null && sku ? { ...otherValues, sku } : otherValues;
  const {
    name: _name,
    price: _price,
    ...fields
  } = parseValue(newProductSchema, { ...values, name: label, price: 0 }, columns);
  const edit = requireSuccess(await changeProduct(ctx, { productId, ...fields }));
  const priceEdit =
    price === null
      ? edit
      : requireSuccess(
          await changePrice(ctx, {
            productId,
            price: parseValue(priceFrom(1, "Must be above 0"), price, { "": columns.price }),
          }),
        );
  const before: Fields = { ...edit.before, ...priceEdit.before };
  const after: Fields = { ...edit.after, ...priceEdit.after };
  if (Object.keys(after).length === 0) return { label, state: "same", text: "As in the shop." };
  const step: Step = { productId, digest: (await readDigest(ctx.db, productId)) ?? "", before };
  return { label, state: "changed", before: describeFields(before), text: describeFields(after), step };
}

/** The fields whose columns the file has. */
function productInput(line: Line) {
  const amount = (title: string) => line.money(title);
  const fields = {
    name: () => line.text(columns.name),
    size: () => line.text(columns.size),
    sku: () => line.text(columns.sku) || null,
    compareAtPrice: () => amount(columns.compareAtPrice),
    cost: () => amount(columns.cost),
    gtin: () => line.text(columns.gtin) || null,
    weightGrams: () => line.wholeNumber(columns.weightGrams) || null,
    hsCode: () => line.text(columns.hsCode) || null,
    originCountry: () => line.text(columns.originCountry).toUpperCase() || null,
    shortDescription: () => line.text(columns.shortDescription),
    description: () => line.text(columns.description),
    stock: () => line.wholeNumber(columns.stock) ?? 0,
  };
  const names = (Object.keys(fields) as (keyof typeof fields)[]).filter((field) => line.has(columns[field]));
  const input: Fields = Object.fromEntries(names.map((field) => [field, fields[field]()]));
  return { ...input, price: amount(columns.price) } as Fields & { price: number | null };
}

/** "Price: $29.95. Description: Pressed cold …" */
function describeFields(fields: Fields): string {
  const titles: Record<string, string> = columns;
  const amountFields = ["price", "compareAtPrice", "cost"];
  return Object.entries(fields)
    .map(([field, value]) => {
      const text =
        typeof value === "number" && amountFields.includes(field) ? formatCents(value) : String(value ?? "");
      const excerpt = text.length > 80 ? `${text.slice(0, 80)}…` : text || "none";
      return `${titles[field] ?? field}: ${excerpt.replace(/[.]?$/, ".")}`;
    })
    .join(" ");
}

function requireSuccess(result: ProductEdit | EditRefusal): ProductEdit {
  if (result.ok) return result;
  if (result.reason === "invalid") throw new RowRefused(fieldsText(result.fields, columns));
  throw new RowRefused(result.reason === "impossible" ? result.message : "It was deleted since.");
}

/** A product that has or could have sizes, by the name that its sizes share. */
async function findSibling(db: Db, name: string): Promise<{ id: number; size: string } | null> {
  const hasName = (column: unknown) => sql`lower(${column}) = ${name.toLowerCase()}`;
  const [sibling] = await db
    .select({ id: products.id, size: products.size })
    .from(products)
    .leftJoin(productFamilies, eq(productFamilies.id, products.familyId))
    .where(or(hasName(productFamilies.name), and(isNull(products.familyId), hasName(products.name))))
    .orderBy(asc(products.familyPosition), asc(products.id))
    .limit(1);
  return sibling ?? null;
}

/**
 * A hash of the fields that the owner can edit; adding and removing other sizes does not change it. Null if there is no such
 * product. Locks the product, so that it is not edited before the transaction ends.
 */
async function readDigest(db: Db, productId: number): Promise<string | null> {
  const [row] = await db
    .select({ product: products, family: productFamilies.name })
    .from(products)
    .leftJoin(productFamilies, eq(productFamilies.id, products.familyId))
    .where(eq(products.id, productId))
    .for("no key update", { of: products });
  if (!row) return null;
  const {
    familyId: _,
    familyPosition: _at,
    revision: _revision,
    updatedAt: _on,
    viewCount: _views,
    ...content
  } = row.product;
  return createHash("sha256")
    .update(JSON.stringify({ ...content, name: row.family ?? content.name }))
    .digest("base64url");
}
