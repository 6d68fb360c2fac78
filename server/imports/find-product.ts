import { and, asc, eq, isNull, or, sql } from "drizzle-orm";
import { sizedName } from "../../domain/catalog/size-name.ts";
import { productFamilies, products } from "../catalog/tables.ts";
import type { Db } from "../platform/database/database.ts";

/** The product with this SKU, or one without a SKU that has this name and, if it has sizes, this size. Without `sku` the name decides. Ignores case. */
export async function findProduct(
  db: Db,
  { sku, name, size }: { sku: string; name: string; size: string },
): Promise<typeof products.$inferSelect | null> {
  const is = (column: unknown, text: string) => sql`lower(${column}) = ${text.toLowerCase()}`;
  const isNamed = or(
    and(is(productFamilies.name, name), is(products.size, size)),
    and(is(products.name, name), size === "" ? undefined : is(products.size, size)),
    is(products.name, sizedName({ name, size })),
  );
  if (sku === "" && name === "") return null;
  const [found] = await db
    .select({ product: products })
    .from(products)
    .leftJoin(productFamilies, eq(productFamilies.id, products.familyId))
    .where(sku === "" ? isNamed : or(is(products.sku, sku), and(isNull(products.sku), isNamed)))
    .orderBy(asc(products.sku), asc(products.id))
    .limit(1);
  return found?.product ?? null;
}
