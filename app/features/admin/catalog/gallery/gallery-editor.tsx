import { useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { type AdminProduct, productLimits } from "../../../../../domain/catalog/product-admin.ts";
import { usePolling } from "../../../../ui/use-polling.ts";
import { PictureItem } from "./picture-item.tsx";
import { UploadList } from "./upload-list.tsx";
import { useDeletions } from "./use-deletions.ts";
import { useGalleryOrder } from "./use-gallery-order.ts";
import { useUploads } from "./use-uploads.ts";

/** How often to ask whether the sizes are made. */
const askEveryMs = 1_000;

/** A product's pictures: what is there, in order, and what is to be added. Each change is saved by itself. */
export function GalleryEditor({ product }: { product: AdminProduct }) {
  const deletions = useDeletions(product.id);
  const { images, move, news } = useGalleryOrder({
    ...product,
    images: product.images.filter(({ id }) => !deletions.gone.includes(id)),
  });
  const uploads = useUploads(product.id);
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const { revalidate } = useRevalidator();
  usePolling(
    images.some(({ status }) => status === "processing"),
    revalidate,
    askEveryMs,
  );

  return (
    <section aria-labelledby="pictures" className="grid gap-4">
      <div>
        <h2 id="pictures" ref={heading} tabIndex={-1} className="text-h3 outline-none">
          Pictures
        </h2>
        <p className="text-small text-ink-muted">
          The first is the thumbnail. Each change here is saved at once; shoppers see a new picture as soon as
          its sizes are made.
        </p>
      </div>
      {images.some(({ isDrawn }) => isDrawn) && (
        <p className="rounded-sm bg-cream px-4 py-3 text-small">
          Pictures marked “Drawn” came with the shop. Replace each with a photograph of your product when you
          have one.
        </p>
      )}
      {images.length === 0 ? (
        <p className="text-small">
          No picture yet. A product is bought by its pictures: begin with the front of it.
        </p>
      ) : (
        <ol className="grid grid-cols-[repeat(auto-fill,minmax(min(8.75rem,100%),1fr))] gap-2 sm:gap-3 sm:grid-cols-3">
          {images.map((image, place) => (
            <li
              key={image.id}
              draggable={dragged !== null}
              className={`flex min-w-0 rounded-sm border bg-surface p-1.5 sm:p-2.5 ${over === place && dragged !== image.id ? "border-forest-800" : "border-line"} ${dragged === image.id ? "opacity-60" : ""}`}
              // Only by its handle, so that words can still be selected.
              onPointerDown={(event) => {
                if ((event.target as Element).closest("[aria-roledescription]")) setDragged(image.id);
              }}
              onPointerUp={() => setDragged(null)}
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = "move";
                event.dataTransfer.setData("text/plain", image.alt);
              }}
              onDragOver={(event) => {
                if (dragged === null) return;
                event.preventDefault();
                setOver(place);
              }}
              onDrop={(event) => {
                event.preventDefault();
                if (dragged !== null) move(dragged, place);
              }}
              onDragEnd={() => {
                setDragged(null);
                setOver(null);
              }}
            >
              <PictureItem
                productId={product.id}
                image={image}
                place={place}
                count={images.length}
                copy={uploads.copies[image.id]}
                onMove={(to) => move(image.id, to)}
                onDelete={() => {
                  deletions.remove(image);
                  heading.current?.focus();
                }}
              />
            </li>
          ))}
        </ol>
      )}
      <UploadList uploads={uploads} room={productLimits.images - images.length} />
      <span role="status" className="sr-only">
        {news}
      </span>
    </section>
  );
}
