import type { Donation, DonationTotals } from "../../../../domain/sales/donation.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Card } from "../../../ui/card.tsx";
import { LinkArrow } from "../../../ui/link-arrow.tsx";
import { SumRow } from "../kit/sum-row.tsx";
import { dayWords } from "../overview/period-words.ts";

/** The part of the set-aside money that was sent, as a bar with both amounts below. */
export function DonationProgress({ givenCents, totals }: { givenCents: number; totals: DonationTotals }) {
  const { sentCents, toSendCents, aheadCents } = totals;
  const share = givenCents === 0 ? Number(sentCents > 0) : Math.min(1, sentCents / givenCents);
  return (
    <>
      <svg
        viewBox="0 0 100 1"
        preserveAspectRatio="none"
        aria-hidden="true"
        className="h-2 w-full overflow-hidden rounded-full bg-cream/20"
      >
        <rect width={share * 100} height="1" className="fill-copper-400 forced-colors:fill-[Highlight]" />
      </svg>
      <dl className="mt-3 grid gap-1.5 text-ui tabular-nums">
        <SumRow name="Sent" cents={sentCents} />
        {aheadCents > 0 ? (
          <SumRow name="Sent ahead" cents={aheadCents} />
        ) : (
          <SumRow name="Still to send" cents={toSendCents} />
        )}
      </dl>
    </>
  );
}

/** The newest donations, for the overview; renders nothing if there are none. */
export function DonationsSent({ donations }: { donations: Donation[] }) {
  if (donations.length === 0) return null;
  return (
    <Card className="p-5 md:p-6">
      <h2 className="text-h3">Donations sent</h2>
      <ul className="mt-2 divide-y divide-line">
        {donations.map(({ id, amountCents, sentOn, note }) => (
          <li key={id} className="grid grid-cols-[1fr_auto] gap-x-4 py-2.5 text-ui">
            <time dateTime={sentOn}>{dayWords(sentOn, true)}</time>
            <span className="tabular-nums">{formatCents(amountCents)}</span>
            {note && <span className="col-span-2 text-small wrap-anywhere text-ink-muted">{note}</span>}
          </li>
        ))}
      </ul>
      <LinkArrow to="/admin/donations">All donations</LinkArrow>
    </Card>
  );
}
