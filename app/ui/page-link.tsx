import { Link, type LinkProps } from "react-router";

/** Personal pages are not cacheable, so prefetching them has no use. */
const personalPaths = /^\/(orders|account|admin|checkout\/success)\b/;

/**
 * A link to another page of the shop. The page is prefetched on hover, touch or focus, and cross-faded in browsers that
 * support it.
 */
export function PageLink(props: LinkProps) {
  const isPersonal = typeof props.to === "string" && personalPaths.test(props.to);
  return <Link prefetch={isPersonal ? "none" : "intent"} viewTransition={supportsCrossFade()} {...props} />;
}

/**
 * Whether the browser supports cross-fades and the user does not prefer reduced motion. The setting may change between
 * renders.
 */
function supportsCrossFade(): boolean {
  return (
    typeof document !== "undefined" &&
    "startViewTransition" in document &&
    !window.matchMedia("(prefers-reduced-motion: reduce)").matches
  );
}
