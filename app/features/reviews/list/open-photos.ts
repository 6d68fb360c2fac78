import type { ProductImage } from "../../../../domain/catalog/product.ts";
import { openFullScreen } from "../../catalog/full-screen.ts";

// Loaded with the first press on a photo.

/** Shows a review's photos on the full screen, beginning with the one of the pressed link. */
export function openPhotos(photos: readonly ProductImage[], pressed: HTMLElement): void {
  const links = [...(pressed.parentElement?.children ?? [])].filter((link) => link instanceof HTMLElement);
  const index = links.indexOf(pressed);
  openFullScreen({ images: photos, links, index, onChange() {}, label: "Photos of this review" });
}
