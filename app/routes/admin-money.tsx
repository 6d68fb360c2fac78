import { type MoneyCheckDetail, moneyCheckTotals } from "../../domain/money-check/money-check.ts";
import { capitalize } from "../../domain/shared/capitalize.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { PanelButton } from "../features/admin/kit/action-button.tsx";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { signedCents } from "../features/admin/kit/rows/sum-row.tsx";
import { CheckForm, PastChecks, periodText, useStartCheck } from "../features/admin/money-check/checks.tsx";
import { DiscrepancyList } from "../features/admin/money-check/discrepancy-list.tsx";
import { May, useMayCall } from "../features/admin/rights.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { Announcement } from "../ui/announcement.tsx";
import { useRefreshWhile } from "../ui/browser/use-refresh-while.ts";
import { Spinner } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Banner } from "../ui/error-banner.tsx";
import type { Route } from "./+types/admin-money";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Money check");

/** `?check=`: id of the check to show in full, by default the newest; `?cursor=`: page of the list of checks. */
export const loader = adminLoader(async ({ request }: Route.LoaderArgs, read) => {
  const params = new URL(request.url).searchParams;
  const cursor = params.get("cursor");
  const pastChecks = await read("GET /api/admin/money-checks", { query: { limit: 10, cursor } });
  const id = params.get("check") ?? pastChecks.data[0]?.id;
  const check =
    id === undefined ? null : (await read("GET /api/admin/money-checks/:id", { params: { id } })).data;
  return { pastChecks, check };
});

export default function AdminMoney({ loaderData: { pastChecks, check } }: Route.ComponentProps) {
  return (
    <AdminPage title="Money check">
      <p className="mb-6 max-w-160 text-ink-muted">
        Compares every payment at your payment provider with your orders, both ways. The last four days are
        checked every night.{" "}
        {useMayCall("POST /api/admin/money-checks")
          ? "Check a longer period before you do your books, or whenever an amount looks odd."
          : "The owner can check a longer period before you do the books."}
      </p>
      <CheckForm today={pastChecks.today} />
      {check && <CheckResult key={check.id} check={check} />}
      <PastChecks page={pastChecks} currentId={check?.id ?? null} />
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Money check", "The money check could not be loaded");

/** One run of the money check: its progress or its result. */
function CheckResult({ check }: { check: MoneyCheckDetail }) {
  useRefreshWhile(check.status === "running", { everyMs: 1_500, maxTimes: Number.POSITIVE_INFINITY });
  return (
    <section className="mt-8" aria-labelledby="result">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="result" className="text-h3">
          {periodText(check)}
        </h2>
        {check.status !== "running" && (
          <May call="POST /api/admin/money-checks">
            <RunAgain check={check} />
          </May>
        )}
      </div>
      <Announcement text={check.status === "running" ? "The check is running." : resultTitle(check)} />
      {check.status === "running" && (
        <Card className="mt-4 flex items-center gap-3 p-5">
          <Spinner />
          <span>
            Running: {paymentCountText(check.looked)} checked so far. You can leave this page; the check
            continues.
          </span>
        </Card>
      )}
      {check.status === "failed" && (
        <Banner className="mt-4" title="The check could not be finished.">
          {check.problem}
        </Banner>
      )}
      {check.status === "done" && <CheckOutcome check={check} />}
    </section>
  );
}

function CheckOutcome({ check }: { check: MoneyCheckDetail }) {
  const hasNoDifferences = check.openFindings === 0;
  return (
    <div className="mt-4 grid gap-4">
      <Banner tone={hasNoDifferences ? "success" : "warning"} title={resultTitle(check)}>
        {resultText(check)}
      </Banner>
      <CheckSums check={check} />
      {check.items.length > 0 && <DiscrepancyList check={check} />}
    </div>
  );
}

function RunAgain({ check: { from, to } }: { check: MoneyCheckDetail }) {
  const { start, busy } = useStartCheck({ failure: "The check was not started" });
  return (
    <PanelButton busy={busy} busyText="Starting..." onClick={() => void start({ from, to })}>
      Run again
    </PanelButton>
  );
}

function resultTitle({ status, looked, findings, openFindings }: MoneyCheckDetail): string {
  if (status === "failed") return "The check could not be finished.";
  if (looked === 0) return "There were no payments in this period.";
  if (findings === 0) return "Everything agrees.";
  if (openFindings === 0) return "No difference is open anymore.";
  return openFindings === 1 ? "1 difference is open." : `${openFindings} differences are open.`;
}

function resultText(check: MoneyCheckDetail): string {
  const { looked, matched, apart, apartCents, providerName } = check;
  if (looked === 0) return "";
  const { difference } = moneyCheckTotals(check);
  const parts = [`${paymentCountText(looked)} checked, ${matched === looked ? "all" : matched} as recorded.`];
  if (apart > 0) {
    parts.push(
      `${paymentCountText(apart)} of ${formatCents(apartCents)} at ${providerName} not counted: made by another program, or never booked and refunded in full.`,
    );
  }
  if (check.openFindings < check.findings) {
    parts.push("The sums are as they were when the check ran: run it again to see them as they are now.");
  } else if (check.findings > 0) {
    parts.push(
      difference === 0
        ? "The differences cancel each other out, so the sums are equal."
        : `The differences below add up to the ${signedCents(difference)} between both sides, to the cent.`,
    );
  }
  return parts.join(" ");
}

function paymentCountText(count: number): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? "payment" : "payments"}`;
}

/** The sums in the orders and at the payment provider, and their differences to the cent. */
function CheckSums({ check }: { check: MoneyCheckDetail }) {
  const { provider, booked } = moneyCheckTotals(check);
  return (
    <div className="overflow-x-auto rounded-md border border-line bg-surface">
      <table className="w-full text-ui tabular-nums max-sm:text-small">
        <caption className="sr-only">Sums at the payment provider and in the orders</caption>
        <thead>
          <tr className="bg-cream-soft text-caption text-ink-muted">
            <th scope="col" className="px-3 py-3 text-left font-semibold sm:px-4">
              <span className="sr-only">What</span>
            </th>
            {[capitalize(check.providerName), "Your orders", "Difference"].map((name) => (
              <th
                key={name}
                scope="col"
                className="px-1.5 py-3 text-right font-semibold max-sm:last:pr-3 sm:px-4"
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Sum term="Paid in" provider={check.providerIn} booked={check.bookedIn} />
          <Sum term="Refunded" provider={check.providerRefunded} booked={check.bookedRefunded} />
          {check.providerChargedBack + check.bookedChargedBack > 0 && (
            <Sum term="Charged back" provider={check.providerChargedBack} booked={check.bookedChargedBack} />
          )}
          {check.providerFees + check.bookedFees > 0 && (
            <Sum term="Dispute fees" provider={check.providerFees} booked={check.bookedFees} />
          )}
          <Sum term="Left" provider={provider} booked={booked} isTotal />
        </tbody>
      </table>
      {check.held > 0 && (
        <p className="border-t border-line px-3 py-3 text-small text-ink-muted sm:px-4">
          {check.providerName} withholds {signedCents(check.held)} of this until open disputes are decided.
          That is not a difference.
        </p>
      )}
    </div>
  );
}

function Sum({
  term,
  provider,
  booked,
  isTotal = false,
}: {
  term: string;
  provider: number;
  booked: number;
  isTotal?: boolean;
}) {
  const difference = provider - booked;
  const cell = "px-1.5 py-3 text-right max-sm:last:pr-3 sm:px-4";
  return (
    <tr className={`border-t border-line ${isTotal ? "font-semibold" : ""}`}>
      <th scope="row" className="px-3 py-3 text-left font-[inherit] sm:px-4">
        {term}
      </th>
      <td className={cell}>{signedCents(provider)}</td>
      <td className={cell}>{signedCents(booked)}</td>
      <td className={`${cell} ${difference === 0 ? "text-success" : "text-danger"}`}>
        {signedCents(difference)}
      </td>
    </tr>
  );
}
