import type { DonationTotals } from "../../../../domain/sales/donation.ts";
import { SumRow } from "../kit/sum-row.tsx";

/** Progress bar of the donated part of the money set aside, with both amounts below. */
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
          <SumRow name="Sent in advance" cents={aheadCents} />
        ) : (
          <SumRow name="Still to send" cents={toSendCents} />
        )}
      </dl>
    </>
  );
}
