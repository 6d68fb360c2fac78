import { sql } from "drizzle-orm";
import { createStock } from "../inventory/commands.ts";
import type { Database } from "../platform/database/database.ts";
import { productImages, products } from "./tables.ts";

/** Adds the first product to a shop that has none. */
export async function seedFirstProduct(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table products in exclusive mode`);
    const [existingProduct] = await tx.select({ id: products.id }).from(products).limit(1);
    if (existingProduct) return;
    const { images, stockUnits, ...product } = firstProduct;
    await tx.insert(products).values(product);
    // The insert with a fixed id did not advance the sequence.
    await tx.execute(sql`select setval(pg_get_serial_sequence('products', 'id'), ${product.id})`);
    await tx
      .insert(productImages)
      .values(images.map((image, position) => ({ ...image, position, productId: product.id })));
    await createStock(tx, product.id, stockUnits);
  });
}

const firstProduct = {
  id: 1,
  slug: "pure-batana-oil",
  name: "Pure Batana Oil",
  shortDescription: "Traditional cold-pressed palm-fruit oil from Honduras, for hair and skin.",
  description:
    "A rich amber oil pressed from the fruit of the batana palm, made the traditional way in Honduras. Warm a little between your palms and it melts into hair, scalp and skin.",
  priceCents: 2995,
  currency: "USD",
  size: "2 fl oz / 60 ml",
  scent: "The oil’s own, with no fragrance added. It varies a little from batch to batch.",
  benefits: [
    "Smooths dry, frizzy hair and adds shine",
    "Conditions the scalp as a pre-wash massage",
    "Softens dry skin on face, hands and body",
    "One ingredient: 100% batana oil",
  ],
  /** Read by `app/features/catalog/usage-steps.tsx`. */
  usage: [
    "Hair",
    "Warm a few drops between your palms. Massage into your scalp, then work through to the ends. Leave in for 30 minutes or overnight, then wash.",
    "5 to 10 drops, once or twice a week",
    "",
    "Face",
    "Press onto clean, damp skin in the evening. Start with less than you think you need.",
    "2 to 3 drops, at night",
    "",
    "Body",
    "Smooth over skin right after the shower, with a little extra for elbows, knees and heels.",
    "Half a dropper, as often as you like",
  ].join("\n"),
  isBestseller: false,
  isNew: true,
  published: true,
  stockUnits: 100,
  /** Pictures in the order of the gallery; the files are masters in `assets/images`. */
  images: [
    {
      file: "product-front.jpg",
      alt: "Palmira Pure Batana Oil, 2 fl oz / 60 ml amber glass bottle with gold collar and black dropper, front view",
    },
    {
      file: "hero-bottle-on-stone.jpg",
      alt: "The bottle on a stone slab, with the shadow of a palm leaf on a sand-colored wall",
    },
    {
      file: "bottle-in-hand.jpg",
      alt: "The bottle lying in an open hand: it reaches from the heel of the hand to the fingers",
    },
    {
      file: "oil-in-palm.jpg",
      alt: "A dropper above an open hand, with amber batana oil in the palm",
    },
    { file: "oil-drops-on-hair.jpg", alt: "Golden drops of batana oil on strands of brown hair" },
    {
      file: "dropper-oil-drop.jpg",
      alt: "Close-up of a glass dropper with a golden drop of batana oil about to fall",
    },
    {
      file: "bottle-palm-fruit.jpg",
      alt: "The bottle on a wooden board beside ripe palm fruit and green fronds",
    },
    { file: "bottle-and-box.jpg", alt: "The bottle beside its dark green box, on a round stone" },
  ],
};
