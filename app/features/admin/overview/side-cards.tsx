import type { Overview } from "../../../../domain/overview/overview.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Card } from "../../../ui/card.tsx";
import { LinkArrow } from "../../../ui/link-arrow.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { RecordDonation } from "../sales/record-donation.tsx";
import { SendingRows } from "../sales/sending-rows.tsx";
import { withinWords } from "./period-words.ts";

/** Donations: set aside in total and for this period's orders, and the amount sent. */
export function DonationsCard({ overview }: { overview: Overview }) {
  const { totalCents, proceedsCents, periodCents, percent, since } = overview.donated;
  return (
    <section
      aria-labelledby="donations"
      className="on-dark flex flex-col rounded-md bg-forest-800 xl:max-h-112 p-5 text-ink-on-dark md:p-6"
    >
      <h2 id="donations" className="text-h3">
        Set aside so far
      </h2>
      <div className="@container mt-2">
        <p className="type-display text-[min(3.125rem,15cqi)] leading-none whitespace-nowrap text-copper-300 lining-nums">
          {formatCents(totalCents)}
        </p>
      </div>
      <p className="mt-2 text-small text-ink-on-dark-muted">
        {since === null ? (
          "Counted from the first paid order on."
        ) : (
          <>
            of {formatCents(proceedsCents)} proceeds since <ShortDay iso={since} />, each order by the share
            that held then
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

/** The newest message that waits for an answer. */
export function LatestMessage({ message }: { message: Overview["latestMessage"] }) {
  return (
    <Card className="p-5 md:p-6">
      <h2 className="text-h3">Latest message</h2>
      {message === null ? (
        <p className="mt-2 text-ink-muted">No message waits for an answer.</p>
      ) : (
        <>
          <p className="mt-2 text-small wrap-anywhere text-ink-muted">
            {message.name} · {message.about} · <ShortDay iso={message.createdAt} />
          </p>
          <p className="mt-2 line-clamp-4 wrap-anywhere whitespace-pre-line">{message.text}</p>
        </>
      )}
      <LinkArrow to={message === null ? "/admin/messages" : `/admin/messages/${message.id}`}>
        {message === null ? "Open inbox" : "Open message"}
      </LinkArrow>
    </Card>
  );
}
