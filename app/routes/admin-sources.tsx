import { sourceGroups } from "../../domain/sales/sources.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { problemPage } from "../features/admin/kit/admin-page.tsx";
import { findOption, readPeriod } from "../features/admin/overview/period-query.ts";
import { SourcesPage } from "../features/admin/sales/sources-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-sources";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Where buyers come from");

export const loader = adminLoader(async ({ request }: Route.LoaderArgs, read) => {
  const { query, params, problem } = readPeriod(request);
  const { data } = await read("GET /api/admin/sources", {
    query: { ...query, by: findOption(sourceGroups, params.get("by")) },
  });
  return { sources: data, problem };
});

export default function AdminSources({ loaderData }: Route.ComponentProps) {
  return <SourcesPage {...loaderData} />;
}

export const ErrorBoundary = problemPage("Where buyers come from", "Failed to load the sources");
