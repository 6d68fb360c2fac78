import PhotoSwipe from "photoswipe";
import "photoswipe/style.css";
import "./full-screen.css";
import type { ProductImage } from "../../../domain/catalog/product.ts";

/**
 * Shows pictures full-screen, to swipe through and zoom. Loaded at the first press. `links` are the gallery's links in the
 * order of the pictures; when the view closes, the link of the current picture gets the focus.
 */
export function openFullScreen({
  images,
  links,
  index,
  onChange = () => {},
  captions = [],
  label = "Product pictures, full screen",
}: {
  images: readonly ProductImage[];
  links: readonly HTMLElement[];
  index: number;
  onChange?: (index: number) => void;
  /** Author and review text of each picture; empty for no captions. */
  captions?: readonly { author: string; text: string }[];
  /** Accessible name. */
  label?: string;
}): void {
  const prefersReducedMotion = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const view = new PhotoSwipe({
    dataSource: images.map((image, position) => ({ ...largestImage(image), element: links[position] })),
    index,
    bgOpacity: 1,
    showHideAnimationType: prefersReducedMotion ? "none" : "fade",
    zoomAnimationDuration: prefersReducedMotion ? 0 : 333,
    wheelToZoom: true,
    returnFocus: false,
    closeSVG: icon(`<path d="M18 6 6 18"/><path d="m6 6 12 12"/>`),
    // PhotoSwipe hides the upright line while the picture is enlarged.
    zoomSVG: icon(
      `<circle cx="11" cy="11" r="8"/><path d="m21 21-4.35-4.35"/><path class="pswp__zoom-icn-bar-v" d="M11 8v6"/><path d="M8 11h6"/>`,
    ),
    // PhotoSwipe mirrors this icon for the next picture.
    arrowPrevSVG: icon(`<path d="m15 18-6-6 6-6"/>`),
    arrowNextSVG: icon(`<path d="m15 18-6-6 6-6"/>`),
    closeTitle: "Close",
    zoomTitle: "Zoom",
    arrowPrevTitle: "Previous picture",
    arrowNextTitle: "Next picture",
    errorMsg: "This picture could not be loaded.",
  });

  view.on("uiRegister", () => {
    view.element?.setAttribute("aria-modal", "true");
    view.element?.setAttribute("aria-label", label);
    // For screen readers; the counter is visual only.
    view.ui?.registerElement({
      name: "words",
      appendTo: "root",
      onInit(element) {
        element.setAttribute("role", "status");
        view.on("change", () => {
          element.textContent = `Picture ${view.currIndex + 1} of ${images.length}: ${images[view.currIndex]?.alt}`;
        });
      },
    });
    if (captions.length === 0) return;
    view.ui?.registerElement({
      name: "caption",
      appendTo: "root",
      onInit(element) {
        const [author, text] = [document.createElement("b"), document.createElement("p")];
        element.append(author, text);
        view.on("change", () => {
          const caption = captions[view.currIndex];
          author.textContent = caption?.author ?? "";
          text.textContent = caption?.text ?? "";
        });
      },
    });
  });
  view.on("keydown", ({ originalEvent }) => {
    const { currSlide } = view;
    const { key } = originalEvent;
    const zoom = { "+": 1.5, "=": 1.5, "-": 1 / 1.5 }[key];
    if (zoom && currSlide) {
      const { min, max } = currSlide.zoomLevels;
      const level = Math.min(max, Math.max(min, currSlide.currZoomLevel * zoom));
      currSlide.zoomTo(level, undefined, prefersReducedMotion ? 0 : 200);
    } else if (key === "Home") view.goTo(0);
    else if (key === "End") view.goTo(images.length - 1);
    else return;
    // Keeps the page below from scrolling.
    originalEvent.preventDefault();
  });
  view.on("change", () => onChange(view.currIndex));
  closeWithBack(view);
  view.on("destroy", () => links[view.currIndex]?.focus({ preventScroll: true }));
  view.init();
}

/** An icon of the shop (Lucide's shapes) in the form that PhotoSwipe expects. */
function icon(shapes: string): string {
  return `<svg aria-hidden="true" class="pswp__icn" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round">${shapes}</svg>`;
}

/**
 * Makes Back close the view instead of leaving the page. Both history entries have the same URL, so the router must not see
 * the event.
 */
function closeWithBack(view: PhotoSwipe): void {
  window.history.pushState(window.history.state, "");
  let wasBackPressed = false;
  const cleanup = new AbortController();
  window.addEventListener(
    "popstate",
    (event) => {
      event.stopImmediatePropagation();
      cleanup.abort();
      wasBackPressed = true;
      view.close();
    },
    { capture: true, signal: cleanup.signal },
  );
  view.on("close", () => {
    if (!wasBackPressed) window.history.back();
  });
}

/** The picture as WebP, which all current browsers support, with the dimensions of its widest file. */
function largestImage({ url, alt, width, height, srcset: { webp } }: ProductImage) {
  const [src = url, descriptor = `${width}w`] = webp.split(", ").at(-1)?.split(" ") ?? [];
  const maxWidth = Number.parseInt(descriptor, 10);
  return { src, srcset: webp, alt, width: maxWidth, height: Math.round((height * maxWidth) / width) };
}
