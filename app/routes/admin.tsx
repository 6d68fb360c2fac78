import { useEffect, useRef } from "react";
import { Outlet, useLocation } from "react-router";
import type { AdminCounts } from "../../domain/admin/admin.ts";
import { frameLoader } from "../features/admin/admin-data.ts";
import { AdminProblem } from "../features/admin/kit/problem.tsx";
import { LockedPanel } from "../features/admin/locked-panel.tsx";
import { AdminFrame } from "../features/admin/shell/admin-frame.tsx";
import { adminTabs, isWithin } from "../features/admin/shell/tabs.ts";
import { rememberUnlocked } from "../features/admin/unlocked-flag.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { focusHeading } from "../shell/page-focus.tsx";
import type { Route } from "./+types/admin";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Admin");

export const headers: Route.HeadersFunction = () => ({ "Cache-Control": "private, no-store" });

/** Null: locked. */
export const loader = frameLoader(
  async (_: Route.LoaderArgs, read): Promise<AdminCounts | null> =>
    (await read("GET /api/admin/counts")).data,
);

/** The frame of every tab; while the panel is locked, its front door in all their places. */
export default function Admin({ loaderData: counts }: Route.ComponentProps) {
  const isLocked = counts === null;
  const wasLocked = useRef(isLocked);
  useEffect(() => {
    // Another browser tab may have unlocked it: the flag follows what the server says.
    if (!isLocked) rememberUnlocked(true);
    if (wasLocked.current !== isLocked) focusHeading();
    wasLocked.current = isLocked;
  }, [isLocked]);
  if (isLocked) return <LockedPanel />;
  return (
    <AdminFrame counts={counts}>
      <Outlet />
    </AdminFrame>
  );
}

/** Nothing came at all, as offline: said in the words of the tab that was asked for. */
export function ErrorBoundary(_: Route.ErrorBoundaryProps) {
  const { pathname } = useLocation();
  const tab = adminTabs.find((tab) => isWithin(tab, pathname));
  return (
    <AdminFrame counts={null}>
      <AdminProblem page={tab?.label ?? "Admin"} title={tab?.failure ?? "This page could not be loaded"} />
    </AdminFrame>
  );
}
