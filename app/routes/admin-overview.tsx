import { grains, periodNames, periodProblem } from "../../domain/overview/overview.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { problemPage } from "../features/admin/kit/admin-page.tsx";
import { OverviewPage, type OverviewPageData } from "../features/admin/overview/overview-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-overview";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Overview");

export const loader = adminLoader(async ({ request }: Route.LoaderArgs, read): Promise<OverviewPageData> => {
  const params = new URL(request.url).searchParams;
  const own = { from: params.get("from"), to: params.get("to") };
  const isOwn = own.from !== null || own.to !== null;
  const problem = isOwn ? periodProblem({ from: own.from ?? "", to: own.to ?? "" }) : null;
  const query = {
    ...(isOwn && problem === null ? own : {}),
    period: oneOf(periodNames, params.get("period")),
    by: oneOf(grains, params.get("by")),
  };
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

/** Returns the value if it is one of the options; other values in the address are ignored. */
function oneOf<T extends string>(list: readonly T[], value: string | null): T | undefined {
  return list.find((one) => one === value);
}
