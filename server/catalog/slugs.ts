import { and, eq, like, ne, or } from "drizzle-orm";
import { productLimits, slugFrom } from "../../domain/catalog/product-admin.ts";
import type { Db } from "../platform/database/database.ts";
import { productSlugs, products } from "./tables.ts";

/** Whether another product has had this slug; its redirect stays. Call after writing the new slug. */
export async function isSlugTaken(tx: Db, slug: string, productId: number): Promise<boolean> {
  const [former] = await tx
    .select({ productId: productSlugs.productId })
    .from(productSlugs)
    .where(and(eq(productSlugs.slug, slug), ne(productSlugs.productId, productId)));
  return former !== undefined;
}

/** Adds a redirect from a product's old slug, and removes the one from its new slug. */
export async function moveSlug(
  tx: Db,
  move: { productId: number; from: string; to: string; now: Date },
): Promise<void> {
  await tx
    .delete(productSlugs)
    .where(and(eq(productSlugs.slug, move.to), eq(productSlugs.productId, move.productId)));
  await tx
    .insert(productSlugs)
    .values({ slug: move.from, productId: move.productId, replacedAt: move.now })
    .onConflictDoNothing();
}

/** An unused slug made from the name; former slugs of products count as used: `palm-balm`, `palm-balm-2`. */
export async function findUnusedSlug(db: Db, name: string): Promise<string> {
  const stem =
    // Leaves room for a suffix of up to five characters.
    slugFrom(name)
      .slice(0, productLimits.slug - 5)
      .replace(/-+$/, "") || "product";
  const [current, former] = await Promise.all([
    db
      .select({ slug: products.slug })
      .from(products)
      .where(or(eq(products.slug, stem), like(products.slug, `${stem}-%`))),
    db
      .select({ slug: productSlugs.slug })
      .from(productSlugs)
      .where(or(eq(productSlugs.slug, stem), like(productSlugs.slug, `${stem}-%`))),
  ]);
  const usedSlugs = new Set([...current, ...former].map(({ slug }) => slug));
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? stem : `${stem}-${number}`;
    if (!usedSlugs.has(slug)) return slug;
  }
}

/** Current slug by former slug. */
export async function listMovedSlugs(db: Db): Promise<Map<string, string>> {
  const rows = await db
    .select({ from: productSlugs.slug, to: products.slug })
    .from(productSlugs)
    .innerJoin(products, eq(products.id, productSlugs.productId));
  return new Map(rows.map(({ from, to }) => [from, to]));
}
