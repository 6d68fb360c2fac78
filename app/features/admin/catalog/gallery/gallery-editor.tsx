import { useEffect, useRef, useState } from "react";
import {
  type AdminProduct,
  type AdminProductImage,
  productLimits,
} from "../../../../../domain/catalog/product-admin.ts";
import { useRefreshWhile } from "../../../../ui/browser/use-refresh-while.ts";
import { toast } from "../../../../ui/toast.tsx";
import { callApi } from "../../../api.ts";
import { useAdminAction } from "../../kit/use-admin-action.ts";
import { PictureItem } from "./picture-item.tsx";
import { UploadList } from "./upload-list.tsx";
import { useUploads } from "./use-uploads.ts";

/** A product's pictures in their order, and the pictures to upload. Each change is saved separately. */
export function GalleryEditor({ product }: { product: AdminProduct }) {
  const deletions = useDeletions(product.id);
  const { images, move, announcement } = useGalleryOrder({
    ...product,
    images: product.images.filter(({ id }) => !deletions.deletedIds.includes(id)),
  });
  const uploads = useUploads(product.id);
  const [draggedId, setDraggedId] = useState<number | null>(null);
  const [dropIndex, setDropIndex] = useState<number | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  // Reloads the product until its pictures have been processed.
  useRefreshWhile(
    images.some(({ status }) => status === "processing"),
    { everyMs: 1_000, maxTimes: Number.POSITIVE_INFINITY },
  );

  return (
    <section aria-labelledby="pictures" className="grid gap-4">
      <div>
        <h2 id="pictures" ref={heading} tabIndex={-1} className="card-title outline-none">
          Pictures
        </h2>
        <p className="text-small text-ink-muted">
          The first is the thumbnail. Each change here is saved at once; shoppers see a new picture as soon as
          it has been processed.
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
          No picture yet. Shoppers buy with their eyes: start with a photo of the front.
        </p>
      ) : (
        <ol className="grid grid-cols-[repeat(auto-fill,minmax(min(8.75rem,100%),1fr))] gap-2 sm:gap-3 sm:grid-cols-3">
          {images.map((image, index) => (
            <li
              key={image.id}
              draggable={draggedId !== null}
              className={`flex min-w-0 rounded-sm border bg-surface p-1.5 sm:p-2.5 ${dropIndex === index && draggedId !== image.id ? "border-forest-800" : "border-line"} ${draggedId === image.id ? "opacity-60" : ""}`}
              // Draggable only by its handle, so that text can still be selected.
              onPointerDown={(event) => {
                if ((event.target as Element).closest("[aria-roledescription]")) setDraggedId(image.id);
              }}
              onPointerUp={() => setDraggedId(null)}
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = "move";
                event.dataTransfer.setData("text/plain", image.alt);
              }}
              onDragOver={(event) => {
                if (draggedId === null) return;
                event.preventDefault();
                setDropIndex(index);
              }}
              onDrop={(event) => {
                event.preventDefault();
                if (draggedId !== null) move(draggedId, index);
              }}
              onDragEnd={() => {
                setDraggedId(null);
                setDropIndex(null);
              }}
            >
              <PictureItem
                productId={product.id}
                image={image}
                index={index}
                count={images.length}
                preview={uploads.previews[image.id]}
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
      <UploadList uploads={uploads} slotsLeft={productLimits.images - images.length} />
      <span role="status" className="sr-only">
        {announcement}
      </span>
    </section>
  );
}

const undoMs = 10_000;

/**
 * Hides a deleted picture immediately, and deletes it on the server after ten seconds unless that is undone. Navigating to
 * another page deletes it immediately; reloading the page cancels the deletion.
 */
function useDeletions(productId: number) {
  const [deletedIds, setDeletedIds] = useState<readonly number[]>([]);
  const timers = useRef(new Map<number, number>());
  const action = useAdminAction("DELETE /api/admin/products/:id/images/:imageId", {
    failure: "The picture was not deleted",
  });
  const unhide = (imageId: number) => setDeletedIds((before) => before.filter((id) => id !== imageId));

  useEffect(() => {
    const { current: pending } = timers;
    return () => {
      for (const [imageId, timer] of pending) {
        window.clearTimeout(timer);
        void callApi("DELETE /api/admin/products/:id/images/:imageId", {
          params: { id: productId, imageId },
        });
      }
      pending.clear();
    };
  }, [productId]);

  function remove({ id: imageId, alt }: AdminProductImage) {
    setDeletedIds((before) => [...before, imageId]);
    const timer = window.setTimeout(async () => {
      timers.current.delete(imageId);
      await action.run({ params: { id: productId, imageId } });
      unhide(imageId);
    }, undoMs);
    timers.current.set(imageId, timer);
    toast({
      title: "Picture deleted",
      description: `“${alt}” is removed from the shop in 10 seconds.`,
      durationMs: undoMs,
      action: {
        label: "Undo",
        run: () => {
          window.clearTimeout(timers.current.get(imageId));
          if (timers.current.delete(imageId)) unhide(imageId);
        },
      },
    });
  }

  return { deletedIds, remove };
}

/** Reorders a gallery: the screen shows each move immediately, while the server saves them one at a time. */
function useGalleryOrder(product: Pick<AdminProduct, "id" | "images">) {
  const [pendingOrder, setPendingOrder] = useState<number[] | null>(null);
  const [announcement, setAnnouncement] = useState("");
  const action = useAdminAction("PATCH /api/admin/products/:id/images/:imageId", {
    failure: "The order of the pictures was not saved",
  });
  const lastSave = useRef<Promise<unknown>>(Promise.resolve());
  const moveCount = useRef(0);
  const images = applyOrder(product.images, pendingOrder);

  function move(imageId: number, to: number) {
    const ids = images.map(({ id }) => id);
    const from = ids.indexOf(imageId);
    const place = Math.max(0, Math.min(to, ids.length - 1));
    if (from < 0 || place === from) return;
    setPendingOrder(ids.toSpliced(from, 1).toSpliced(place, 0, imageId));
    setAnnouncement(`Moved to place ${place + 1} of ${ids.length}${place === 0 ? ", the thumbnail" : ""}`);
    moveCount.current += 1;
    const moveNumber = moveCount.current;
    lastSave.current = lastSave.current
      .then(() => action.run({ params: { id: product.id, imageId }, body: { position: place } }))
      // The server's order is shown again once the call for the last move has returned.
      .then(() => moveCount.current === moveNumber && setPendingOrder(null));
  }

  return { images, move, announcement };
}

/** Sorts pictures by `pendingOrder`; pictures added since the move come last. */
function applyOrder(
  images: readonly AdminProductImage[],
  pendingOrder: readonly number[] | null,
): AdminProductImage[] {
  if (!pendingOrder) return [...images];
  const place = (id: number) => (pendingOrder.includes(id) ? pendingOrder.indexOf(id) : pendingOrder.length);
  return images.toSorted((a, b) => place(a.id) - place(b.id));
}
