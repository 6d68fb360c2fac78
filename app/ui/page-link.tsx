import { Link, type LinkProps } from "react-router";

/** Personal pages are not cacheable, so prefetching them has no use. */
const personal = /^\/(orders|account|admin|checkout\/success)\b/;

/**
 * A link to another page of the shop. The page is prefetched on hover, touch or focus, and cross-faded in browsers that
 * support it.
 */
export function PageLink(props: LinkProps) {
  const isPersonal = typeof props.to === "string" && personal.test(props.to);
  return <Link prefetch={isPersonal ? "none" : "intent"} viewTransition={canFade()} {...props} />;
}

/** False without browser support or if the user prefers reduced motion, a setting that may change between renders. */
function canFade(): boolean {
  return (
    typeof document !== "undefined" &&
    "startViewTransition" in document &&
    !window.matchMedia("(prefers-reduced-motion: reduce)").matches
  );
}
