import { Link, type LinkProps } from "react-router";

/** What nobody may keep is no use fetched in advance. */
const personal = /^\/(orders|account|admin|checkout\/success)\b/;

/**
 * A link to another page of the shop: fetched as soon as a pointer, a finger or the focus shows that it is wanted, and
 * faded over to where the browser can.
 */
export function PageLink(props: LinkProps) {
  const isPersonal = typeof props.to === "string" && personal.test(props.to);
  return <Link prefetch={isPersonal ? "none" : "intent"} viewTransition={canFade()} {...props} />;
}

/** Asked on every render: both browsers without the means and people who want no motion get none. */
function canFade(): boolean {
  return (
    typeof document !== "undefined" &&
    "startViewTransition" in document &&
    !window.matchMedia("(prefers-reduced-motion: reduce)").matches
  );
}
