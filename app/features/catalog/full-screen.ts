import PhotoSwipe from "photoswipe";
import "photoswipe/style.css";
import "./full-screen.css";
import type { ProductImage } from "../../../domain/catalog/product.ts";

/**
 * Pictures on the full screen: swiped or stepped through, pinched, clicked or wheeled closer. Loaded at the first press.
 * `links`: the gallery's own, in order; the focus goes back to that of the picture that was shown last.
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
  /** Told which picture is shown. */
  onChange: (index: number) => void;
  /** What a screen reader calls the view. */
  label?: string;
}): void {
  const isCalm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const view = new PhotoSwipe({
    dataSource: images.map((image, at) => ({ ...largestOf(image), element: links[at] })),
    index,
    bgOpacity: 1,
    showHideAnimationType: isCalm ? "none" : "fade",
    zoomAnimationDuration: isCalm ? 0 : 333,
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
    // What a screen reader hears of each picture; the counter beside it is for the eye.
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
      currSlide.zoomTo(level, undefined, isCalm ? 0 : 200);
    } else if (key === "Home") view.goTo(0);
    else if (key === "End") view.goTo(images.length - 1);
    else return;
    // The page below would scroll.
    originalEvent.preventDefault();
  });
  view.on("change", () => onChange(view.currIndex));
  closeWithBack(view);
  view.on("destroy", () => links[view.currIndex]?.focus({ preventScroll: true }));
  view.init();
}

/**
 * Makes the browser's Back close the view instead of leaving the page. Both entries of the history are the same place, so
 * the router is not told of what goes on between them.
 */
function closeWithBack(view: PhotoSwipe): void {
  window.history.pushState(window.history.state, "");
  let isBack = false;
  const over = new AbortController();
  window.addEventListener(
    "popstate",
    (event) => {
      event.stopImmediatePropagation();
      over.abort();
      isBack = true;
      view.close();
    },
    { capture: true, signal: over.signal },
  );
  view.on("close", () => {
    if (!isBack) window.history.back();
  });
}

/** WebP, which every browser in use reads; its measures are those of the widest size that was made. */
function largestOf({ url, alt, width, height, srcset: { webp } }: ProductImage) {
  const [src = url, w = `${width}w`] = webp.split(", ").at(-1)?.split(" ") ?? [];
  const widest = Number.parseInt(w, 10);
  return { src, srcset: webp, alt, width: widest, height: Math.round((height * widest) / width) };
}
