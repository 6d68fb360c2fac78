import HandHeart from "lucide-react/icons/hand-heart";
import { useState } from "react";
import type { Donation } from "../../../../domain/sales/donation.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { type Column, DataTable } from "../kit/data-table.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { May } from "../may.tsx";
import { dayWords } from "../overview/period-words.ts";

/** Recorded donations; wrong entries can be deleted. */
export function DonationTable({ donations }: { donations: Donation[] }) {
  const [deleting, setDeleting] = useState<Donation | null>(null);
  const remove = useAdminAction("DELETE /api/admin/donations/:id", {
    failure: null,
    success: { title: "Donation deleted" },
  });
  return (
    <>
      <DataTable
        caption="Donations sent"
        columns={[
          ...columns,
          {
            key: "actions",
            header: <span className="sr-only">Actions</span>,
            align: "right",
            phone: "max-md:col-span-2 max-md:-mb-1.5",
            cell: (donation) => (
              <May call="DELETE /api/admin/donations/:id">
                <Button
                  variant="danger-quiet"
                  size="small"
                  aria-label={`Delete: ${nameOf(donation)}`}
                  onClick={() => setDeleting(donation)}
                >
                  Delete
                </Button>
              </May>
            ),
          },
        ]}
        rows={donations}
        rowKey={({ id }) => id}
        empty={
          <EmptyState boxed glyph={HandHeart} title="Nothing recorded yet">
            Once you have sent money on, record it here: what is still to send is counted for you.
          </EmptyState>
        }
      />
      <ConfirmDialog
        open={deleting !== null}
        onClose={() => {
          remove.forget();
          setDeleting(null);
        }}
        title="Delete this donation?"
        description={
          deleting &&
          `${nameOf(deleting)} counts as not sent then. Only the record is deleted; no money comes back. That it was deleted stays in Activity.`
        }
        confirmLabel="Delete donation"
        busyText="Deleting..."
        form={remove}
        send={async () => (deleting ? remove.run({ params: { id: deleting.id } }) : undefined)}
      />
    </>
  );
}

const columns: Column<Donation>[] = [
  {
    key: "day",
    header: "Sent on",
    nowrap: true,
    phone: "max-md:col-start-1 max-md:row-start-1",
    cell: ({ sentOn }) => <time dateTime={sentOn}>{dayWords(sentOn, true)}</time>,
  },
  {
    key: "note",
    header: "Note",
    phone: "max-md:col-span-2 max-md:row-start-2 max-md:text-small max-md:text-ink-muted max-md:empty:hidden",
    cell: ({ note }) => note && <span className="wrap-anywhere">{note}</span>,
  },
  {
    key: "amount",
    header: "Amount",
    align: "right",
    phone: "max-md:col-start-2 max-md:row-start-1 max-md:font-semibold",
    cell: ({ amountCents }) => formatCents(amountCents),
  },
];

function nameOf({ amountCents, sentOn }: Donation): string {
  return `${formatCents(amountCents)}, sent on ${dayWords(sentOn, true)}`;
}
