import { type ReactNode, useEffect, useState } from "react";
import { Outlet, useLocation, useNavigation, useRouteLoaderData } from "react-router";
import type { loader } from "../root.tsx";
import type { Route } from "./+types/shell";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";
import { PageProblem } from "./page-problem.tsx";

/** Header, page, footer. */
export default function Shell() {
  return (
    <Frame>
      <PendingPage>
        <Outlet />
      </PendingPage>
    </Frame>
  );
}

/** A page that fails keeps its header and footer: the rest of the shop is still there. */
export function ErrorBoundary(_: Route.ErrorBoundaryProps) {
  return (
    <Frame>
      <PageProblem />
    </Frame>
  );
}

function Frame({ children }: { children: ReactNode }) {
  const frame = useRouteLoaderData<typeof loader>("root");
  return (
    <>
      <Header />
      <main id="main" tabIndex={-1} className="outline-none">
        {children}
      </main>
      {frame && <Footer frame={frame} />}
    </>
  );
}

/** Pages that load faster get no skeleton, which would only flicker. */
const skeletonDelayMs = 200;

/** The skeleton of the page being loaded; the current page stays visible if it has none. */
function PendingPage({ children }: { children: ReactNode }) {
  const { state, location: nextLocation } = useNavigation();
  const { pathname } = useLocation();
  const pendingPath =
    state === "loading" && nextLocation.pathname !== pathname ? nextLocation.pathname : null;
  const [skeleton, setSkeleton] = useState<ReactNode>(null);

  useEffect(() => {
    if (pendingPath === null) return;
    let isUnmounted = false;
    const timer = setTimeout(async () => {
      // Only needed for slow pages; if its code cannot be loaded, the current page stays.
      const parts = await import("./page-skeleton.tsx").catch(() => null);
      if (!isUnmounted && parts) setSkeleton(parts.pageSkeleton(pendingPath));
    }, skeletonDelayMs);
    return () => {
      isUnmounted = true;
      clearTimeout(timer);
      setSkeleton(null);
    };
  }, [pendingPath]);

  // The render that shows the page must not contain the skeleton, so that the focus moves to the page's heading.
  return (pendingPath !== null && skeleton) || children;
}
