import { formatCents } from "../../../../domain/money.ts";
import type { Overview } from "../../../../domain/overview.ts";
import { Time } from "../../../ui/time.tsx";
import { withinWords } from "./period-words.ts";

/** What the shop has given of its proceeds: so far, and of this period's orders. */
export function DonationsCard({ overview }: { overview: Overview }) {
  const { totalCents, proceedsCents, periodCents, percent, since } = overview.donated;
  return (
    <section
      aria-labelledby="donations"
      className="on-dark flex flex-col rounded-md bg-forest-800 xl:max-h-112 p-5 text-ink-on-dark md:p-6"
    >
      <h2 id="donations" className="text-h3">
        Donations so far
      </h2>
      <div className="mt-2 type-display text-[clamp(2rem,1.5rem+2vw,3rem)] leading-none text-copper-300 lining-nums wrap-anywhere">
        {formatCents(totalCents)}
      </div>
      <p className="mt-2 text-small text-ink-on-dark-muted">
        {since === null ? (
          "Counted from the first paid order on."
        ) : (
          <>
            of {formatCents(proceedsCents)} proceeds since <Time iso={since} />, each order by the share that
            held then
          </>
        )}
      </p>
      <dl className="mt-auto grid gap-1.5 pt-6 text-ui tabular-nums">
        <Row name={`Of orders ${withinWords(overview)}`} value={formatCents(periodCents)} />
        <Row name="Share of proceeds now" value={`${percent}%`} />
      </dl>
    </section>
  );
}

function Row({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex justify-between gap-4">
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
