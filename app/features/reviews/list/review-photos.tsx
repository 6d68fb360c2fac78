import type { MouseEvent } from "react";
import type { ProductImage } from "../../../../domain/catalog/product.ts";

/** A writer's photos, small; a press shows them on the full screen, or without JavaScript as the picture alone. */
export function ReviewPhotos({ photos }: { photos: readonly ProductImage[] }) {
  if (photos.length === 0) return null;
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const link = event.currentTarget;
    import("./on-press.ts")
      .then(({ openPhotos }) => openPhotos(photos, link))
      .catch(() => window.location.assign(link.href));
  };
  return (
    <p className="mt-3 flex flex-wrap gap-2">
      {photos.map((photo) => (
        <a key={photo.url} href={photo.url} onClick={open}>
          {/* The smallest size is the first of the list. */}
          <img
            src={photo.srcset.webp.split(" ")[0]}
            alt={photo.alt}
            width={photo.width}
            height={photo.height}
            loading="lazy"
            className="size-20 rounded-sm bg-cream object-cover"
          />
        </a>
      ))}
    </p>
  );
}
