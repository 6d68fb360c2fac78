import HandHeart from "lucide-react/icons/hand-heart";
import { Link } from "react-router";
import type { Donation, DonationTotals } from "../../domain/sales/donation.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { adminLoader, uuidParam } from "../features/admin/admin-data.ts";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { ButtonWithConfirmation } from "../features/admin/kit/confirm-dialog.tsx";
import { actionsColumn, type Column, DataTable } from "../features/admin/kit/list/data-table.tsx";
import { Pager } from "../features/admin/kit/list/pager.tsx";
import { SumRow } from "../features/admin/kit/rows/sum-row.tsx";
import { formatDate } from "../features/admin/overview/period-text.ts";
import { useMayCall, useMayOpen } from "../features/admin/rights.ts";
import { RecordDonation } from "../features/admin/sales/record-donation.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import type { Route } from "./+types/admin-donations";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Giving");

export const loader = adminLoader(({ request }: Route.LoaderArgs, read) =>
  read("GET /api/admin/donations", { query: { cursor: uuidParam(request, "cursor") } }),
);

/** All donations recorded by the owner, compared with the money set aside. */
export default function AdminDonations({ loaderData: page }: Route.ComponentProps) {
  const mayOpen = useMayOpen();
  const { data, nextCursor, totals, today } = page;
  return (
    <AdminPage title="Giving" actions={<RecordDonation totals={totals} today={today} />}>
      <div className="stack items-start gap-5 xl:grid-cols-[24rem_minmax(0,1fr)]">
        <section
          aria-labelledby="so-far"
          className="on-dark max-w-120 rounded-md bg-forest-800 p-5 text-ink-on-dark md:p-6"
        >
          <h2 id="so-far" className="text-h3">
            Set aside so far
          </h2>
          <div className="@container mt-1 mb-5">
            <p className="type-display text-[min(2.25rem,15cqi)] leading-tight whitespace-nowrap text-copper-300 lining-nums">
              {formatCents(totals.givenCents)}
            </p>
          </div>
          <DonationProgress givenCents={totals.givenCents} totals={totals} />
        </section>
        <div>
          <DonationTable donations={data} />
          <Pager nextCursor={nextCursor} shown={[data.length, "donation"]} />
        </div>
      </div>
      <p className="mt-6 max-w-text text-small text-ink-muted">
        The amount follows from paid orders, each with the share that applied when it was placed. The share is
        set under{" "}
        {mayOpen("/admin/settings/:page") ? (
          <Link to="/admin/settings/giving" className="link">
            Settings, Giving and story
          </Link>
        ) : (
          "Settings, Giving and story"
        )}
        .
      </p>
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Giving", "Failed to load the donations");

/** Recorded donations; wrong entries can be deleted. */
function DonationTable({ donations }: { donations: Donation[] }) {
  const mayDelete = useMayCall("DELETE /api/admin/donations/:id");
  return (
    <DataTable
      caption="Donations sent"
      columns={[
        ...columns,
        mayDelete && {
          ...actionsColumn,
          phone: "max-md:col-span-2 max-md:-mb-1.5 max-md:-ml-3",
          cell: (donation: Donation) => (
            <ButtonWithConfirmation
              label="Delete"
              variant="quiet"
              buttonLabel={`Delete: ${donationName(donation)}`}
              title="Delete this donation?"
              description={`${donationName(donation)} will count as not sent. Only the record is deleted; no money comes back. The deletion is listed in Activity.`}
              confirmLabel="Delete donation"
              busyText="Deleting..."
              call="DELETE /api/admin/donations/:id"
              success={{ title: "Donation deleted" }}
              send={(run) => run({ params: { id: donation.id } })}
            />
          ),
        },
      ].filter((column) => column !== false)}
      rows={donations}
      empty={
        <EmptyState boxed glyph={HandHeart} title="Nothing recorded yet">
          Record a donation here once you have sent it. The page shows how much is still to send.
        </EmptyState>
      }
    />
  );
}

const columns: Column<Donation>[] = [
  {
    header: "Sent on",
    nowrap: true,
    phone: "max-md:col-start-1 max-md:row-start-1",
    cell: ({ sentOn }) => <time dateTime={sentOn}>{formatDate(sentOn, true)}</time>,
  },
  {
    header: "Note",
    phone:
      "max-md:col-span-2 max-md:row-start-2 max-md:text-small max-md:text-ink-muted max-md:empty:sr-only",
    cell: ({ note }) => note && <span className="wrap-anywhere">{note}</span>,
  },
  {
    header: "Amount",
    align: "right",
    phone: "max-md:col-start-2 max-md:row-start-1 max-md:font-semibold",
    cell: ({ amountCents }) => formatCents(amountCents),
  },
];

function donationName({ amountCents, sentOn }: Donation): string {
  return `${formatCents(amountCents)}, sent on ${formatDate(sentOn, true)}`;
}

/** A progress bar of how much of the money set aside has been donated, with the amounts below it. */
function DonationProgress({ givenCents, totals }: { givenCents: number; totals: DonationTotals }) {
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
