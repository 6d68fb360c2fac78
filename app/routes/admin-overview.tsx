import { grains } from "../../domain/overview/overview.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { problemPage } from "../features/admin/kit/admin-page.tsx";
import { OverviewPage, type OverviewPageData } from "../features/admin/overview/overview-page.tsx";
import { oneOf, periodIn } from "../features/admin/overview/period-query.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-overview";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Overview");

export const loader = adminLoader(async ({ request }: Route.LoaderArgs, read): Promise<OverviewPageData> => {
  const { query: period, params, problem } = periodIn(request);
  const query = { ...period, by: oneOf(grains, params.get("by")) };
  const [overview, toDo] = await Promise.all([
    read("GET /api/admin/overview", { query }),
    read("GET /api/admin/to-do"),
  ]);
  return { overview: overview.data, toDo: toDo.data, now: new Date().toISOString(), problem };
});

export default function OverviewTab({ loaderData }: Route.ComponentProps) {
  return <OverviewPage {...loaderData} />;
}

export const ErrorBoundary = problemPage("Overview", "Failed to load the overview");
