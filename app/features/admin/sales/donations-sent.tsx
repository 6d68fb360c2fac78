import type { Donation } from "../../../../domain/sales/donation.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Card } from "../../../ui/card.tsx";
import { LinkArrow } from "../../../ui/link-arrow.tsx";
import { dayWords } from "../overview/period-words.ts";

/** The newest donations, for the overview; nothing while there are none. */
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
