import { and, asc, eq, isNull, or, sql } from "drizzle-orm";
import { sizedName } from "../../domain/catalog/size-name.ts";
import { productFamilies, products } from "../catalog/tables.ts";
import type { Db } from "../platform/database/database.ts";

/**
 * The product with this SKU; otherwise a product without a SKU that has this name and, if it has sizes, this size. If `sku` is
 * empty, only name and size are compared. Ignores case.
 */
export async function findProduct(
  db: Db,
  { sku, name, size }: { sku: string; name: string; size: string },
): Promise<typeof products.$inferSelect | null> {
  const equals = (column: unknown, text: string) => sql`lower(${column}) = ${text.toLowerCase()}`;
  const isNamed = or(
    and(equals(productFamilies.name, name), equals(products.size, size)),
    and(equals(products.name, name), size === "" ? undefined : equals(products.size, size)),
    equals(products.name, sizedName({ name, size })),
  );
  if (sku === "" && name === "") return null;
  const [row] = await db
    .select({ product: products })
    .from(products)
    .leftJoin(productFamilies, eq(productFamilies.id, products.familyId))
    .where(sku === "" ? isNamed : or(equals(products.sku, sku), and(isNull(products.sku), isNamed)))
    .orderBy(asc(products.sku), asc(products.id))
    .limit(1);
  return row?.product ?? null;
}
