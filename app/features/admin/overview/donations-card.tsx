import type { Overview } from "../../../../domain/sales/overview.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Time } from "../../../ui/time.tsx";
import { RecordDonation } from "../donations/record-donation.tsx";
import { SendingRows } from "../donations/sending-rows.tsx";
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
      <div className="mt-2 type-display text-[clamp(2.75rem,2.25rem+1vw,3.125rem)] leading-none text-copper-300 lining-nums wrap-anywhere">
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
      <p className="mt-2 text-small text-ink-on-dark-muted">
        {formatCents(periodCents)} of it of orders {withinWords(overview)}. The share is {percent}% now.
      </p>
      <div className="mt-auto pt-6">
        <SendingRows givenCents={totalCents} sending={overview.donated} />
        <div className="mt-5">
          <RecordDonation sending={overview.donated} today={overview.today} variant="on-dark" />
        </div>
      </div>
    </section>
  );
}
