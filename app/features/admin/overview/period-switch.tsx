import { useId } from "react";
import { Form, Link, useSearchParams } from "react-router";
import type { Overview } from "../../../../domain/overview/overview.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";

const named = [
  ["7d", "7 days"],
  [null, "30 days"],
  ["12m", "12 months"],
] as const;

/** Of which days the figures are: three that have a name, or any. `problem`: why the days asked for are none. */
export function PeriodSwitch({ overview, problem }: { overview: Overview; problem: string | null }) {
  const [search] = useSearchParams();
  const id = useId();
  const isOwn = search.has("from") || search.has("to");
  return (
    <div className="flex flex-wrap items-center gap-x-4 sm:justify-end">
      <nav aria-label="Period" className="max-w-full overflow-x-auto rounded-sm [scrollbar-width:none]">
        <ul className="inline-flex gap-0.5 rounded-sm bg-cream p-0.75">
          {named.map(([value, label]) => (
            <li key={label}>
              <Link
                to={value === null ? "/admin" : `/admin?period=${value}`}
                preventScrollReset
                state={{ keepsFocus: true }}
                aria-current={!isOwn && search.get("period") === value ? "true" : undefined}
                className="flex min-h-11 items-center rounded-[3px] px-3.5 text-small font-medium whitespace-nowrap no-underline -outline-offset-2! aria-[current=true]:bg-surface aria-[current=true]:shadow-header forced-colors:aria-[current=true]:underline"
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <details open={isOwn || problem !== null} className="text-small open:basis-full">
        <summary className="link flex min-h-11 cursor-pointer list-none items-center sm:justify-end [&::-webkit-details-marker]:hidden">
          Other days
        </summary>
        <Form
          method="get"
          action="/admin"
          preventScrollReset
          className="grid grid-cols-2 items-start gap-2.5 pt-1 sm:grid-cols-[10rem_10rem_auto]"
        >
          <Field
            key={overview.from}
            id={`${id}-from`}
            name="from"
            type="date"
            label="First day"
            required
            defaultValue={search.get("from") ?? overview.from}
            max={overview.today}
            error={problem}
          />
          <Field
            key={`${overview.to}-to`}
            id={`${id}-to`}
            name="to"
            type="date"
            label="Last day"
            required
            defaultValue={search.get("to") ?? overview.to}
            max={overview.today}
          />
          <Button type="submit" size="small" variant="secondary" className="min-h-12.5! sm:mt-6.5">
            Show
          </Button>
        </Form>
      </details>
    </div>
  );
}
