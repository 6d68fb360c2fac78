import Scale from "lucide-react/icons/scale";
import type { FormEvent } from "react";
import { Link, useNavigate } from "react-router";
import type { MoneyCheck, MoneyCheckPage } from "../../../../domain/money-check/money-check.ts";
import { addDays } from "../../../../domain/shared/zoned-days.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { Field } from "../../../ui/field.tsx";
import { useForm } from "../../../ui/use-form.ts";
import { DataTable } from "../kit/list/data-table.tsx";
import { Pager } from "../kit/list/pager.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { formatDate } from "../overview/period-text.ts";
import { useMayCall } from "../rights.ts";

/** Asks for the period, starts the check and opens its page. */
export function CheckForm({ today }: { today: string }) {
  const mayStart = useMayCall("POST /api/admin/money-checks");
  const { start, busy, problem, fields } = useStartCheck({ failure: null });
  const form = useForm({ from: addDays(today, -7), to: addDays(today, -1) }, { problems: fields });
  const period = form.values;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!busy) void start(period);
  }

  if (!mayStart) return null;
  return (
    <Card className="p-5">
      <form className="stack gap-4" onSubmit={submit} noValidate>
        <fieldset className="min-w-0">
          <legend className="mb-1.5 text-small font-medium">Period</legend>
          <span className="grid grid-cols-[repeat(auto-fit,minmax(min(8rem,100%),1fr))] gap-0.5 rounded-sm bg-cream p-0.75 min-[560px]:inline-flex">
            {presets(today).map(({ label, ...preset }) => (
              <button
                key={label}
                type="button"
                aria-pressed={preset.from === period.from && preset.to === period.to}
                className="min-h-11 rounded-[3px] px-[min(.875rem,3.6vw)] text-small font-medium whitespace-nowrap -outline-offset-2! aria-pressed:bg-surface aria-pressed:shadow-header forced-colors:aria-pressed:underline"
                onClick={() => form.set(preset)}
              >
                {label}
              </button>
            ))}
          </span>
        </fieldset>
        <div className="stack gap-4 [&_input]:min-w-0 min-[560px]:grid-cols-[1fr_1fr_auto] min-[560px]:items-start">
          <Field {...form.field("from")} label="First day" type="date" required max={today} />
          <Field {...form.field("to")} label="Last day" type="date" required />
          <Button
            type="submit"
            className="min-[560px]:mt-6.5 min-[560px]:min-h-12.5!"
            busy={busy}
            busyText="Starting..."
            disabled={period.from === "" || period.to === ""}
          >
            Run check
          </Button>
        </div>
        {problem && Object.keys(fields).length === 0 && (
          <Banner title="The check was not started.">{problem.message}</Banner>
        )}
      </form>
    </Card>
  );
}

type Preset = { label: string; from: string; to: string };

function presets(today: string): Preset[] {
  const yesterday = addDays(today, -1);
  const firstDayOfMonth = `${today.slice(0, 8)}01`;
  const lastDayOfPreviousMonth = addDays(firstDayOfMonth, -1);
  return [
    { label: "Yesterday", from: yesterday, to: yesterday },
    { label: "Last 7 days", from: addDays(today, -7), to: yesterday },
    { label: "This month", from: firstDayOfMonth, to: today },
    { label: "Last month", from: `${lastDayOfPreviousMonth.slice(0, 8)}01`, to: lastDayOfPreviousMonth },
  ];
}

/** All checks, newest first; each opens above the list. */
export function PastChecks({ page, currentId }: { page: MoneyCheckPage; currentId: number | null }) {
  return (
    <section className="mt-10" aria-labelledby="past">
      <h2 id="past" className="mb-4 text-h3">
        All checks
      </h2>
      <DataTable<MoneyCheck>
        caption="Checks so far, newest first"
        rows={page.data}
        isCurrent={({ id }) => id === currentId}
        empty={
          <EmptyState glyph={Scale} heading="h3" title="No checks yet" boxed>
            The first one runs the night after your first payment. You can also run one now.
          </EmptyState>
        }
        columns={[
          {
            header: "Period",
            phone: "max-md:col-start-1 max-md:row-start-1",
            cell: (check) => (
              <Link
                className="link inline-flex min-h-6 items-center max-md:min-h-11"
                to={`?check=${check.id}`}
                aria-current={check.id === currentId ? "true" : undefined}
              >
                {periodText(check)}
              </Link>
            ),
          },
          {
            header: "Run",
            phone: "max-md:col-span-2 max-md:row-start-2 text-small text-ink-muted",
            cell: (check) => (
              <>
                <ShortDay iso={check.startedAt} withTime />
                {check.requestedBy === "night" && ", nightly"}
              </>
            ),
          },
          {
            header: "Payments",
            align: "right",
            phone: "max-md:hidden",
            cell: ({ looked }) => looked.toLocaleString("en-US"),
          },
          {
            header: "Result",
            phone: "max-md:col-start-2 max-md:row-start-1 max-md:self-center",
            cell: (check) => <ResultBadge check={check} />,
          },
        ]}
      />
      {page.data.length > 0 && <Pager nextCursor={page.nextCursor} />}
    </section>
  );
}

function ResultBadge({ check: { status, openFindings, findings } }: { check: MoneyCheck }) {
  if (status === "running") return <Badge tone="blue">Running</Badge>;
  if (status === "failed") return <Badge tone="red">Not finished</Badge>;
  if (openFindings > 0) return <Badge tone="yellow">{openFindings} open</Badge>;
  return <Badge tone="green">{findings > 0 ? "Settled" : "Agrees"}</Badge>;
}

/** Starts a check of a period and shows it. */
export function useStartCheck(texts: { failure: string | null }) {
  const { run, ...state } = useAdminAction("POST /api/admin/money-checks", texts);
  const navigate = useNavigate();
  return {
    ...state,
    async start(period: { from: string; to: string }) {
      const response = await run({ body: period });
      if (response.ok) await navigate(`?check=${response.body.data.id}`, { preventScrollReset: true });
    },
  };
}

/** Such as "Nov 14 to Nov 20, 2026", or a single day. */
export function periodText({ from, to }: Pick<MoneyCheck, "from" | "to">): string {
  if (from === to) return formatDate(to, true);
  return `${formatDate(from, from.slice(0, 4) !== to.slice(0, 4))} to ${formatDate(to, true)}`;
}
