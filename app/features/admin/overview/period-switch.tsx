import { Form, Link, useSearchParams } from "react-router";
import type { Overview } from "../../../../domain/overview/overview.ts";
import { Field } from "../../../ui/field.tsx";
import { PanelButton } from "../kit/action-button.tsx";
import { formatPeriod } from "./period-text.ts";

const namedPeriods = [
  ["7d", "7 days"],
  [null, "30 days"],
  ["12m", "12 months"],
] as const;

/**
 * Shows the period of the page at `path`, and links to three presets and any dates. `problem`: why the period in the URL is
 * invalid. `extraParam`: a parameter of the URL that the links keep. `id`: id of the heading.
 */
export function PeriodSwitch({
  id,
  path,
  period: { from, to, today },
  problem,
  extraParam,
}: {
  id: string;
  path: string;
  period: Pick<Overview, "from" | "to" | "today">;
  problem: string | null;
  extraParam?: string;
}) {
  const [search] = useSearchParams();
  const extraValue = extraParam === undefined ? null : search.get(extraParam);
  const periodUrl = (query: Record<string, string>) => {
    const params = new URLSearchParams({
      ...(extraParam && extraValue ? { [extraParam]: extraValue } : {}),
      ...query,
    });
    return params.size === 0 ? path : `${path}?${params}`;
  };
  const isCustom = search.has("from") || search.has("to");
  const choices = [
    ...namedPeriods.map(([value, label]) => ({
      label,
      to: periodUrl(value === null ? {} : { period: value }),
      isCurrent: !isCustom && search.get("period") === value,
    })),
    { label: "Other", to: periodUrl({ from, to }), isCurrent: isCustom },
  ];
  return (
    <div className="mb-2.5 grid gap-2.5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2.5">
        <h2 id={id} className="text-h3 first-letter:uppercase">
          {formatPeriod({ from, to, today })}
        </h2>
        <nav aria-label="Period" className="max-sm:w-full">
          <ul className="flex flex-wrap gap-0.5 rounded-sm bg-cream p-0.75">
            {choices.map(({ label, to, isCurrent }) => (
              <li key={label} className="max-sm:flex-1">
                <Link
                  to={to}
                  preventScrollReset
                  state={{ keepsFocus: true }}
                  aria-current={isCurrent ? "true" : undefined}
                  className="flex min-h-11 items-center justify-center rounded-[3px] px-2 text-small font-medium whitespace-nowrap no-underline -outline-offset-2! aria-[current=true]:bg-surface aria-[current=true]:shadow-header sm:px-2.5 forced-colors:aria-[current=true]:underline"
                >
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      {isCustom && (
        <Form
          key={`${from} ${to}`}
          method="get"
          action={path}
          preventScrollReset
          className="grid grid-cols-2 items-start gap-2.5 sm:grid-cols-[1fr_1fr_auto]"
        >
          {extraValue && <input type="hidden" name={extraParam} value={extraValue} />}
          <Field
            id={`${id}-from`}
            name="from"
            type="date"
            label="First day"
            required
            defaultValue={search.get("from") ?? from}
            max={today}
            error={problem}
          />
          <Field
            id={`${id}-to`}
            name="to"
            type="date"
            label="Last day"
            required
            defaultValue={search.get("to") ?? to}
            max={today}
          />
          <PanelButton type="submit" className="min-h-12.5! max-sm:col-span-2 sm:mt-6.5">
            Show
          </PanelButton>
        </Form>
      )}
    </div>
  );
}
