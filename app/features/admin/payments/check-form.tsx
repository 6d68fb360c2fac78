import type { FormEvent } from "react";
import { addDays } from "../../../../domain/shared/zoned-days.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { Field } from "../../../ui/field.tsx";
import { useForm } from "../../../ui/use-form.ts";
import { useMay } from "../rights.ts";
import { useStartCheck } from "./use-start-check.ts";

/** Asks for the period; the run's own address is shown as soon as it has begun. */
export function CheckForm({ today }: { today: string }) {
  const mayStart = useMay("POST /api/admin/money-checks");
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
      <form className="grid gap-4" onSubmit={submit} noValidate>
        <fieldset className="min-w-0">
          <legend className="mb-1.5 text-small font-medium">Period</legend>
          <span className="grid grid-cols-2 gap-0.5 rounded-sm bg-cream p-0.75 min-[560px]:inline-flex">
            {presets(today).map(({ label, ...preset }) => (
              <button
                key={label}
                type="button"
                aria-pressed={preset.from === period.from && preset.to === period.to}
                className="min-h-11 rounded-[3px] px-3.5 text-small font-medium whitespace-nowrap -outline-offset-2! aria-pressed:bg-surface aria-pressed:shadow-header forced-colors:aria-pressed:underline"
                onClick={() => form.set(preset)}
              >
                {label}
              </button>
            ))}
          </span>
        </fieldset>
        <div className="grid gap-4 min-[560px]:grid-cols-[1fr_1fr_auto] min-[560px]:items-start">
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
  const firstOfMonth = `${today.slice(0, 8)}01`;
  const lastOfMonthBefore = addDays(firstOfMonth, -1);
  return [
    { label: "Yesterday", from: yesterday, to: yesterday },
    { label: "Last 7 days", from: addDays(today, -7), to: yesterday },
    { label: "This month", from: firstOfMonth, to: today },
    { label: "Last month", from: `${lastOfMonthBefore.slice(0, 8)}01`, to: lastOfMonthBefore },
  ];
}
