import { adminLoader } from "../features/admin/admin-data.ts";
import { ContentList } from "../features/admin/content/text-lists.tsx";
import { AdminProblem } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-content";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Pages and policies");

export const loader = adminLoader(async (_: Route.LoaderArgs, read) => ({
  texts: (await read("GET /api/admin/content")).data,
}));

export default function AdminContent({ loaderData: { texts } }: Route.ComponentProps) {
  return <ContentList texts={texts} />;
}

export function ErrorBoundary() {
  return <AdminProblem page="Pages and policies" title="Failed to load the texts" />;
}
