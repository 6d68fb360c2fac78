import { sql } from "drizzle-orm";
import type { Database, Db } from "../platform/database.ts";
import { firstProduct } from "./first-product.ts";
import { productImages, products } from "./tables.ts";

/** Gives a shop without any product its first one. */
export async function seedFirstProduct(
  db: Database,
  addToShelf: (tx: Db, productId: number, onHand: number) => Promise<void>,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table products in exclusive mode`);
    const [existing] = await tx.select({ id: products.id }).from(products).limit(1);
    if (existing) return;
    const { images, stockUnits, ...product } = firstProduct;
    await tx.insert(products).values(product);
    // The next product's number goes on after the one that was given here.
    await tx.execute(sql`select setval(pg_get_serial_sequence('products', 'id'), ${product.id})`);
    await tx
      .insert(productImages)
      .values(images.map((image, position) => ({ ...image, position, productId: product.id })));
    await addToShelf(tx, product.id, stockUnits);
  });
}
