import { asc, eq, sql } from "drizzle-orm";
import type { AdminProduct, AdminProductImage } from "../../domain/catalog/product-admin.ts";
import { isDrawn } from "../../domain/catalog/product-image.ts";
import { pick } from "../../domain/shared/pick.ts";
import { waitingCount } from "../inventory/stock-alerts.ts";
import { stock } from "../inventory/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { productRatings } from "../reviews/tables.ts";
import { pictureSizes } from "./pictures/sizes.ts";
import { bundlesOnOffer, sharedFields } from "./queries.ts";
import { productFamilies, productImages, productSlugs, products } from "./tables.ts";

/** All products as the panel shows them, published or not, by id. */
export async function listAdminProducts(db: Db): Promise<AdminProduct[]> {
  return readProducts(db, null);
}

export async function findAdminProduct(db: Db, productId: number): Promise<AdminProduct | null> {
  const [product = null] = await readProducts(db, productId);
  return product;
}

export async function findAdminImage(
  db: Db,
  productId: number,
  imageId: number,
): Promise<AdminProductImage | null> {
  const product = await findAdminProduct(db, productId);
  return product?.images.find(({ id }) => id === imageId) ?? null;
}

/** The product's family with all its sizes, published or not. */
const familyJson = sql<AdminProduct["family"]>`(
  select json_build_object('id', family.id, 'name', family.name, 'sizes', (
    select json_agg(json_build_object('id', member.id, 'slug', member.slug, 'size', member.size, 'price', member.price_cents,
        'published', member.published, 'archived', member.archived_at is not null,
        'stock', coalesce(member_stock.on_hand - member_stock.reserved, 0),
        'inStock', coalesce(member_stock.on_hand > member_stock.reserved, false))
      order by member.family_position)
    from ${products} member left join ${stock} member_stock on member_stock.product_id = member.id
    where member.family_id = family.id))
  from ${productFamilies} family where family.id = ${products.familyId})`;

async function readProducts(db: Db, productId: number | null): Promise<AdminProduct[]> {
  const rows = await db
    .select({
      product: products,
      bundles: bundlesOnOffer,
      onHand: sql<number>`coalesce(${stock.onHand}, 0)`,
      reserved: sql<number>`coalesce(${stock.reserved}, 0)`,
      waiting: waitingCount(products.id),
      ratings: productRatings,
      images: sql<ImageRow[]>`coalesce((
        select json_agg(image order by image.position)
        from (select id, position, file, alt, width, height, status, problem from ${productImages}
          where ${productImages.productId} = ${products.id}) as image), '[]')`,
      family: familyJson,
      formerSlugs: sql<string[]>`coalesce((
        select json_agg(${productSlugs.slug} order by ${productSlugs.replacedAt})
        from ${productSlugs} where ${productSlugs.productId} = ${products.id}), '[]')`,
    })
    .from(products)
    .leftJoin(stock, eq(stock.productId, products.id))
    .leftJoin(productRatings, eq(productRatings.productId, products.id))
    .where(productId === null ? undefined : eq(products.id, productId))
    .orderBy(asc(products.id));
  return rows.map(
    ({ product, bundles, family, onHand, reserved, waiting, ratings, images, formerSlugs }) => ({
      ...sharedFields(product, bundles, [ratings]),
      family,
      // Renumbered: a removed picture leaves a gap in the positions until its transaction ends.
      images: images.map((image, position) => adminImage({ ...image, position })),
      ...pick(product, "published", "compareAtPrice", "weightGrams", "hsCode", "originCountry", "cost"),
      revision: product.revision,
      archivedAt: product.archivedAt?.toISOString() ?? null,
      inStock: onHand > reserved,
      stock: onHand - reserved,
      onHand,
      reserved,
      waiting,
      formerSlugs,
      createdAt: product.createdAt.toISOString(),
      updatedAt: product.updatedAt.toISOString(),
    }),
  );
}

type ImageRow = Omit<typeof productImages.$inferSelect, "productId">;

function adminImage({ id, position, status, problem, ...storedPicture }: ImageRow): AdminProductImage {
  return {
    id,
    ...pictureSizes(storedPicture),
    isDrawn: isDrawn(storedPicture.file),
    position,
    status,
    problem,
  };
}
