import { AdminHomeView } from "../features/admin/admin-home.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { shopContext, viewerContext } from "../shop-context.ts";
import type { Route } from "./+types/admin-overview";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Overview");

export async function loader({ context }: Route.LoaderArgs) {
  return { home: await context.get(shopContext).adminHome(context.get(viewerContext)) };
}

export default function AdminOverview({ loaderData: { home } }: Route.ComponentProps) {
  return home && <AdminHomeView home={home} />;
}
