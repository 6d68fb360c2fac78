import type { ReactNode } from "react";
import { Outlet, useRouteLoaderData } from "react-router";
import type { loader } from "../root.tsx";
import type { Route } from "./+types/shell";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";
import { PageProblem } from "./page-problem.tsx";
import { PendingPage } from "./pending-page.tsx";

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
