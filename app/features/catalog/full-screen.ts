import PhotoSwipe from "photoswipe";
import "photoswipe/style.css";
import "./full-screen.css";
import type { ProductImage } from "../../../domain/catalog/product.ts";

/**
 * Shows pictures full-screen, to swipe through and zoom. Loaded at the first press. `links` are the gallery's links in
 * order; on closing, that of the last picture is focused.
 */
export function openFullScreen({
  images,
  links,
  index,
  onChange,
  label = "Product pictures, full screen",
}: {
  images: readonly ProductImage[];
  links: readonly HTMLElement[];
  index: number;
  onChange: (index: number) => void;
  /** Accessible name. */
  label?: string;
}): void {
  const prefersReducedMotion = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const view = new PhotoSwipe({
    dataSource: images.map((image, at) => ({ ...largestOf(image), element: links[at] })),
    index,
    bgOpacity: 1,
    showHideAnimationType: prefersReducedMotion ? "none" : "fade",
    zoomAnimationDuration: prefersReducedMotion ? 0 : 333,
    wheelToZoom: true,
    returnFocus: false,
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

/**
 * Makes Back close the view instead of leaving the page. Both entries of the history are the same page, so the router must
 * not see the event.
 */
function closeWithBack(view: PhotoSwipe): void {
  window.history.pushState(window.history.state, "");
  let isBack = false;
  const cleanup = new AbortController();
  window.addEventListener(
    "popstate",
    (event) => {
      event.stopImmediatePropagation();
      cleanup.abort();
      isBack = true;
      view.close();
    },
    { capture: true, signal: cleanup.signal },
  );
  view.on("close", () => {
    if (!isBack) window.history.back();
  });
}

/** The picture as WebP, which all current browsers support, with the dimensions of its widest file. */
function largestOf({ url, alt, width, height, srcset: { webp } }: ProductImage) {
  const [src = url, w = `${width}w`] = webp.split(", ").at(-1)?.split(" ") ?? [];
  const widest = Number.parseInt(w, 10);
  return { src, srcset: webp, alt, width: widest, height: Math.round((height * widest) / width) };
}
