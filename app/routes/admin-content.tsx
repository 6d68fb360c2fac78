import { adminLoader } from "../features/admin/admin-data.ts";
import { ContentList } from "../features/admin/content/text-lists.tsx";
import { problemPage } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-content";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Pages and policies");

export const loader = adminLoader(async (_: Route.LoaderArgs, read) => ({
  texts: (await read("GET /api/admin/content")).data,
}));

export default function AdminContent({ loaderData: { texts } }: Route.ComponentProps) {
  return <ContentList texts={texts} />;
}

export const ErrorBoundary = problemPage("Pages and policies", "Failed to load the texts");
