import { adminLoader } from "../features/admin/admin-data.ts";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { CheckResult } from "../features/admin/money-check/check-result.tsx";
import { CheckForm, PastChecks } from "../features/admin/money-check/checks.tsx";
import { useMay } from "../features/admin/rights.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-money";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Money check");

/** `?check=`: id of the check to show in full, by default the newest; `?cursor=`: page of the list of checks. */
export const loader = adminLoader(async ({ request }: Route.LoaderArgs, read) => {
  const params = new URL(request.url).searchParams;
  const cursor = params.get("cursor");
  const past = await read("GET /api/admin/money-checks", { query: { limit: 10, cursor } });
  const id = params.get("check") ?? past.data[0]?.id;
  const check =
    id === undefined ? null : (await read("GET /api/admin/money-checks/:id", { params: { id } })).data;
  return { past, check };
});

export default function AdminMoney({ loaderData: { past, check } }: Route.ComponentProps) {
  return (
    <AdminPage title="Money check">
      <p className="mb-6 max-w-160 text-ink-muted">
        Compares every payment at your payment provider with your orders, both ways. The last four days are
        checked every night.{" "}
        {useMay("POST /api/admin/money-checks")
          ? "Check a longer period before you do your books, or whenever an amount looks odd."
          : "The owner can check a longer period before you do the books."}
      </p>
      <CheckForm today={past.today} />
      {check && <CheckResult key={check.id} check={check} />}
      <PastChecks page={past} currentId={check?.id ?? null} />
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Money check", "The money check could not be loaded");
