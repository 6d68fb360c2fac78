import RotateCw from "lucide-react/icons/rotate-cw";
import WifiOff from "lucide-react/icons/wifi-off";
import { useCallback, useEffect, useState } from "react";
import { Link } from "react-router";
import { isShopReachable } from "../offline/shop-reachable.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { usePolling } from "../ui/browser/use-polling.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/offline";

const pollMs = 5_000;

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "You are offline");

/** Shown by the service worker instead of a page that is neither stored nor reachable. */
export default function OfflinePage() {
  const [pages, setPages] = useState<{ path: string; name: string }[]>([]);
  const [isChecking, setChecking] = useState(false);
  const tryAgain = useCallback(async () => {
    setChecking(true);
    if (await isShopReachable()) window.location.replace(requestedPath());
    else setChecking(false);
  }, []);
  usePolling(true, tryAgain, pollMs);
  useEffect(() => {
    window.addEventListener("online", tryAgain);
    void visitedPages().then(setPages);
    return () => window.removeEventListener("online", tryAgain);
  }, [tryAgain]);
  return (
    <EmptyState
      glyph={WifiOff}
      title="You are offline"
      action={
        <>
          <div className="flex flex-wrap justify-center gap-3">
            <Button onClick={tryAgain} aria-disabled={isChecking}>
              <Icon glyph={RotateCw} /> Try again
            </Button>
            <ButtonLink variant="secondary" to="/cart">
              Open your cart
            </ButtonLink>
          </div>
          {pages.length > 0 && (
            <nav aria-label="Pages you can read now" className="mt-6">
              <p>You can still read</p>
              <ul className="mt-1 flex flex-wrap justify-center gap-x-5">
                {pages.map(({ path, name }) => (
                  <li key={path}>
                    <Link to={path} reloadDocument className="link inline-flex min-h-11 items-center">
                      {name}
                    </Link>
                  </li>
                ))}
              </ul>
            </nav>
          )}
        </>
      }
    >
      <p>
        This page needs a connection. It will open automatically once you’re back online. Your cart is safe on
        this device, and nothing has been charged.
      </p>
    </EmptyState>
  );
}

/** The path of the page that could not be opened. Only paths of this shop are accepted. */
function requestedPath(): string {
  const path = new URLSearchParams(window.location.search).get("to") ?? "/";
  return /^\/(?![/\\])/.test(path) ? path : "/";
}

/**
 * Pages stored by the service worker, with their titles, most recently visited first. Excludes URLs with query
 * parameters.
 */
async function visitedPages(): Promise<{ path: string; name: string }[]> {
  if (!("caches" in window)) return [];
  const cache = await caches.open("visited");
  const requestsWithoutQuery = (await cache.keys()).filter(({ url }) => new URL(url).search === "").reverse();
  return Promise.all(
    requestsWithoutQuery.map(async (request) => {
      const path = new URL(request.url).pathname;
      const html = (await (await cache.match(request))?.text()) ?? "";
      const page = new DOMParser().parseFromString(html, "text/html");
      // The title without the shop's name.
      const name = page.querySelector<HTMLMetaElement>("meta[property='og:title']")?.content;
      return { path, name: path === "/" ? "Home" : name || path };
    }),
  );
}
