import type { Sending } from "../../../../domain/sales/donation.ts";
import { formatCents } from "../../../../domain/shared/money.ts";

/** How much of what is given away was sent: a bar, which the two amounts below it put into words. */
export function SendingRows({ givenCents, sending }: { givenCents: number; sending: Sending }) {
  const { sentCents, toSendCents, aheadCents } = sending;
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

function SumRow({ name, cents }: { name: string; cents: number }) {
  return (
    <div className="flex justify-between gap-4">
      <dt>{name}</dt>
      <dd>{formatCents(cents)}</dd>
    </div>
  );
}
