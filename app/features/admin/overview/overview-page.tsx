import type { Overview } from "../../../../domain/sales/overview.ts";
import { DonationsSent } from "../donations/donations-sent.tsx";
import { IssueList } from "../issues/issue-list.tsx";
import { AdminPage } from "../kit/admin-page.tsx";
import { ConversionCard } from "./conversion-card.tsx";
import { DonationsCard } from "./donations-card.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { PeriodSwitch } from "./period-switch.tsx";
import { SalesCard } from "./sales-card.tsx";
import { LatestMessage, LowStock } from "./side-cards.tsx";
import { Tiles } from "./tiles.tsx";
import { WaitingToShip } from "./waiting-to-ship.tsx";

export type OverviewPageData = {
  overview: Overview;
  /** Why the days asked for are no period; the usual ones are shown then. */
  problem: string | null;
};

/** The panel's first page: what needs the owner, then how the shop does. */
export function OverviewPage({ overview, problem }: OverviewPageData) {
  const { hasSold, attention } = overview;
  return (
    <AdminPage title="Overview" actions={hasSold && <PeriodSwitch overview={overview} problem={problem} />}>
      <div className="grid gap-4 md:gap-5">
        {attention.length > 0 && (
          <section aria-labelledby="attention">
            <h2 id="attention" className="mb-3 text-h3">
              Needs attention
            </h2>
            <IssueList issues={attention} />
          </section>
        )}
        {hasSold ? (
          <>
            <Tiles overview={overview} />
            <div className="grid gap-4 md:gap-5 xl:grid-cols-[2fr_1fr]">
              <SalesCard overview={overview} />
              <DonationsCard overview={overview} />
            </div>
          </>
        ) : (
          <FirstSteps />
        )}
        <div className="grid items-start gap-4 md:gap-5 xl:grid-cols-[2fr_1fr]">
          <div className="grid min-w-0 gap-4 md:gap-5">
            {hasSold && <WaitingToShip waiting={overview.waitingToShip} />}
            <ConversionCard overview={overview} />
          </div>
          <div className="grid gap-4 md:gap-5">
            <LowStock products={overview.lowStock} />
            <LatestMessage message={overview.latestMessage} />
            <DonationsSent donations={overview.donated.latest} />
          </div>
        </div>
      </div>
    </AdminPage>
  );
}
