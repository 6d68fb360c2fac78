import { Link, useSearchParams } from "react-router";
import type { DonationPage } from "../../../../domain/sales/donation.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { AdminPage } from "../kit/admin-page.tsx";
import { Pager } from "../kit/pager.tsx";
import { useMayOpen } from "../rights.ts";
import { DonationTable } from "./donation-table.tsx";
import { RecordDonation } from "./record-donation.tsx";
import { SendingRows } from "./sending-rows.tsx";

/** The whole record of what was sent of the money that the shop gives away. */
export function DonationsPage({ page }: { page: DonationPage }) {
  const [params] = useSearchParams();
  const mayOpen = useMayOpen();
  const { data, nextCursor, totals, today } = page;
  return (
    <AdminPage
      title="Donations"
      back={{ to: "/admin", label: "Overview" }}
      actions={<RecordDonation sending={totals} today={today} />}
    >
      <section
        aria-labelledby="so-far"
        className="on-dark mb-5 max-w-120 rounded-md bg-forest-800 p-5 text-ink-on-dark md:p-6"
      >
        <h2 id="so-far" className="text-h3">
          Set aside so far
        </h2>
        <div className="@container mt-1 mb-5">
          <p className="type-display text-[min(2.25rem,15cqi)] leading-tight whitespace-nowrap text-copper-300 lining-nums">
            {formatCents(totals.givenCents)}
          </p>
        </div>
        <SendingRows givenCents={totals.givenCents} sending={totals} />
      </section>
      <DonationTable donations={data} />
      {data.length > 0 && (
        <Pager nextCursor={nextCursor}>
          {data.length} {data.length === 1 ? "donation" : "donations"}
          {nextCursor !== null || params.has("cursor") ? " on this page" : ""}
        </Pager>
      )}
      <p className="mt-6 max-w-text text-small text-ink-muted">
        What is given away follows from paid orders, each by the share that held when it was placed; it is set
        under{" "}
        {mayOpen("/admin/settings/:page") ? (
          <Link to="/admin/settings/giving" className="link">
            Settings, Giving
          </Link>
        ) : (
          "Settings, Giving"
        )}
        .
      </p>
    </AdminPage>
  );
}
