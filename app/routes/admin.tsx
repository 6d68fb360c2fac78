import { useEffect, useRef } from "react";
import { AdminHomeView } from "../features/admin/admin-home.tsx";
import { LockedPanel } from "../features/admin/locked-panel.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { focusHeading } from "../shell/page-focus.tsx";
import { shopContext, viewerContext } from "../shop-context.ts";
import type { Route } from "./+types/admin";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Admin");

export const headers: Route.HeadersFunction = () => ({ "Cache-Control": "private, no-store" });

export async function loader({ context }: Route.LoaderArgs) {
  return { home: await context.get(shopContext).adminHome(context.get(viewerContext)) };
}

export default function Admin({ loaderData: { home } }: Route.ComponentProps) {
  const isLocked = home === null;
  const wasLocked = useRef(isLocked);
  useEffect(() => {
    if (wasLocked.current !== isLocked) focusHeading();
    wasLocked.current = isLocked;
  }, [isLocked]);
  return isLocked ? <LockedPanel /> : <AdminHomeView home={home} />;
}
