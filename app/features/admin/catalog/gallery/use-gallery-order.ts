import { useRef, useState } from "react";
import type { AdminProduct, AdminProductImage } from "../../../../../domain/catalog/product-admin.ts";
import { useAdminAction } from "../../kit/use-admin-action.ts";

/** A gallery whose pictures change places at once on the screen, and one after the other at the shop. */
export function useGalleryOrder(product: Pick<AdminProduct, "id" | "images">) {
  const [wanted, setWanted] = useState<number[] | null>(null);
  const [news, setNews] = useState("");
  const action = useAdminAction("PATCH /api/admin/products/:id/images/:imageId", {
    failure: "The order of the pictures was not saved",
  });
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const moves = useRef(0);
  const images = ordered(product.images, wanted);

  function move(imageId: number, to: number) {
    const ids = images.map(({ id }) => id);
    const from = ids.indexOf(imageId);
    const place = Math.max(0, Math.min(to, ids.length - 1));
    if (from < 0 || place === from) return;
    setWanted(ids.toSpliced(from, 1).toSpliced(place, 0, imageId));
    setNews(`Moved to place ${place + 1} of ${ids.length}${place === 0 ? ", the thumbnail" : ""}`);
    moves.current += 1;
    const mine = moves.current;
    last.current = last.current
      .then(() => action.run({ params: { id: product.id, imageId }, body: { position: place } }))
      // The server's order is shown again once the last move has been answered.
      .then(() => moves.current === mine && setWanted(null));
  }

  return { images, move, news };
}

/** Pictures added since the move come last. */
function ordered(
  images: readonly AdminProductImage[],
  wanted: readonly number[] | null,
): AdminProductImage[] {
  if (!wanted) return [...images];
  const place = (id: number) => (wanted.includes(id) ? wanted.indexOf(id) : wanted.length);
  return images.toSorted((a, b) => place(a.id) - place(b.id));
}
