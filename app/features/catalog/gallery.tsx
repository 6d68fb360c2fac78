import Play from "lucide-react/icons/play";
import { type MouseEvent, useEffect, useRef, useState } from "react";
import mark from "../../../assets/brand/mark.svg";
import type { Product, ProductImage } from "../../../domain/catalog/product.ts";
import { whenLoaded } from "../../ui/browser/when-loaded.ts";
import { Icon } from "../../ui/icon.tsx";
import { Picture } from "../../ui/picture.tsx";

const mainSizes = "(min-width: 80rem) 37rem, (min-width: 48rem) 47vw, 100vw";
const thumbSizes = "(min-width: 64rem) 84px, 17vw";

/** Pictures side by side to swipe through. Each links to its file; with scripts the link opens it full-screen. */
export function Gallery({
  images,
  videoUrl,
  fallback,
}: Pick<Product, "images" | "videoUrl"> & {
  /** Replaces the first picture if it fails to load. */
  fallback: ProductImage;
}) {
  const track = useRef<HTMLUListElement>(null);
  const [currentIndex, setCurrentIndex] = useState(0);
  /** Until the gallery is touched, pictures outside the view are not loaded. */
  const [isTouched, setTouched] = useState(false);
  /** Until the page has loaded, only the first picture is loaded: it is the one that the shopper is waiting for. */
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => whenLoaded(() => setLoaded(true)), []);
  const [front] = images;
  if (!front) {
    return (
      <div className="grid aspect-square place-items-center bg-cream md:aspect-4/5">
        <img src={mark} width={64} height={64} alt="" />
      </div>
    );
  }

  const count = images.length + (videoUrl ? 1 : 0);
  const thumbs = videoUrl ? [...images, { ...front, url: videoUrl }] : images;
  const scrollToPicture = (index: number) =>
    track.current?.scrollTo({ left: index * (track.current.clientWidth ?? 0) });
  const enlarge = (event: MouseEvent<HTMLAnchorElement>, index: number) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    const links = [...(track.current?.querySelectorAll("a") ?? [])];
    import("./full-screen.ts").then(
      ({ openFullScreen }) => openFullScreen({ images, links, index, onChange: scrollToPicture }),
      // If the viewer's code cannot be loaded, the link opens the picture's file.
      () => window.location.assign(images[index]?.url ?? front.url),
    );
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only detects when to load the pictures
    <div
      className={`gallery-frame ${count > 1 ? "" : "grid-cols-1!"}`}
      onPointerOver={() => setTouched(true)}
      onFocus={() => setTouched(true)}
    >
      <ul
        ref={track}
        aria-label="Product pictures"
        className="gallery"
        onScroll={({ currentTarget }) =>
          setCurrentIndex(Math.round(currentTarget.scrollLeft / currentTarget.clientWidth))
        }
      >
        {images.map((image, index) => (
          <li key={image.url} className="relative w-full shrink-0 snap-center snap-always">
            <a
              href={image.url}
              className="block size-full cursor-zoom-in focus-visible:-outline-offset-4"
              onClick={(event) => enlarge(event, index)}
              // Without this, the browser may scroll back when a neighboring picture loads.
              onFocus={() => scrollToPicture(index)}
            >
              <span className="sr-only">Enlarge picture: </span>
              <Picture
                image={image}
                fallback={index === 0 ? fallback : front}
                sizes={mainSizes}
                priority={index === 0}
                {...(isTouched && Math.abs(index - currentIndex) === 1 && { loading: "eager" })}
                className={`size-full object-cover ${index === 0 || isLoaded ? "" : "hidden noscript:block"}`}
              />
            </a>
            {count > 1 && (
              <span
                aria-hidden="true"
                className="pointer-events-none absolute right-3 bottom-3 rounded-full bg-paper/90 px-2.5 py-1 text-caption leading-none font-medium tabular-nums"
              >
                {index + 1} / {count}
              </span>
            )}
          </li>
        ))}
        {videoUrl && (
          <li className="w-full shrink-0 snap-center snap-always">
            <video
              controls
              muted
              playsInline
              preload="none"
              poster={front.url}
              src={videoUrl}
              aria-label="Video"
              className="size-full object-cover"
            />
          </li>
        )}
      </ul>
      {count > 1 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls
        <div
          role="group"
          aria-label="Product images"
          className="flex gap-2 overflow-auto px-(--gutter) pt-2 [scrollbar-width:none] md:px-0 lg:max-h-[max(36rem,calc(100svh-8rem))] lg:flex-col lg:gap-3 lg:pt-0 noscript:hidden"
        >
          {thumbs.map((image, index) => (
            <button
              key={image.url}
              type="button"
              aria-label={index < images.length ? `Show image ${index + 1} of ${count}` : "Show video"}
              aria-current={index === currentIndex ? "true" : undefined}
              onClick={() => scrollToPicture(index)}
              className="thumb"
            >
              <Picture
                image={index < images.length ? image : front}
                fallback={index === 0 ? fallback : front}
                alt=""
                sizes={thumbSizes}
                fetchPriority="low"
                className={`size-full object-cover ${isLoaded ? "" : "hidden"}`}
              />
              {index === images.length && (
                <Icon
                  glyph={Play}
                  className="absolute inset-0 m-auto rounded-full bg-paper/90 p-1 text-ink"
                />
              )}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
