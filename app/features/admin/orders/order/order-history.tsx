import { disputeNotes } from "../../../../../domain/disputes/dispute.ts";
import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import type { OrderEvent } from "../../../../../domain/orders/order.ts";
import { NotesEditor } from "../../kit/notes-editor.tsx";
import { ShortDay } from "../../kit/short-day.tsx";
import { useAdminAction } from "../../kit/use-admin-action.ts";
import { useMayCall } from "../../rights.ts";
import { panelStatusLabel } from "../order-labels.ts";
import { OrderCard } from "./order-card.tsx";

/** Every change of the order's state with time and author, newest first. */
export function OrderHistory({ order }: { order: AdminOrder }) {
  return (
    <OrderCard title="Timeline">
      <ol className="mb-4 grid">
        {[...order.events].reverse().map((event) => (
          <li
            key={`${event.at}${event.to}${event.note}`}
            className="relative pb-4 pl-6 text-ui leading-snug before:absolute before:top-1.5 before:left-0.5 before:size-2.5 before:rounded-full before:bg-success not-last:after:absolute not-last:after:top-5 not-last:after:-bottom-1 not-last:after:left-[.42rem] not-last:after:w-px not-last:after:bg-line-strong/50 last:pb-0"
          >
            <span className="font-medium wrap-anywhere">{eventTitle(event)}</span>
            <span className="block text-caption wrap-anywhere text-ink-muted">
              <ShortDay iso={event.at} withTime />, by {event.by ?? actors[event.actor] ?? event.actor}
              {hasOwnNote(event) && `: ${event.note}`}
            </span>
          </li>
        ))}
      </ol>
      <OrderNotes order={order} />
    </OrderCard>
  );
}

/** Title of an event. An event without a new status, such as a further refund, is titled by its note. */
function eventTitle({ from, to, note }: OrderEvent): string {
  if (from === to || isDisputeNote(note)) return note ?? panelStatusLabel(to);
  if (to === "pending") return "Placed";
  if (from === null) return "Made as a replacement";
  if (to === "completed") return from === "pending" || from === "cancelled" ? "Paid" : "Refund came back";
  return to === "cancelled" ? "Ended without payment" : panelStatusLabel(to);
}

function hasOwnNote({ from, to, note }: OrderEvent): boolean {
  if (from === to || note === null || isDisputeNote(note)) return false;
  return note !== "Paid";
}

function isDisputeNote(note: string | null): boolean {
  return note === disputeNotes.lost || note === disputeNotes.overturned;
}

const actors: Record<string, string> = {
  shopper: "the customer",
  provider: "the payment provider",
  owner: "the team",
  system: "the shop",
};

/** Internal notes about an order. */
function OrderNotes({ order: { id, notes } }: { order: AdminOrder }) {
  const mayWrite = useMayCall("POST /api/admin/orders/:id/notes");
  const mayDelete = useMayCall("DELETE /api/admin/orders/:id/notes/:noteId");
  const add = useAdminAction("POST /api/admin/orders/:id/notes", { failure: "The note was not saved" });
  const remove = useAdminAction("DELETE /api/admin/orders/:id/notes/:noteId", { failure: null });
  return (
    <NotesEditor
      notes={notes}
      draftKey={`order:${id}`}
      hint="Customers see it only if they ask for a copy of their data."
      addAction={add}
      deleteAction={remove}
      mayWrite={mayWrite}
      mayDelete={mayDelete}
      onAdd={async (text) => (await add.run({ params: { id }, body: { text } })).ok}
      onDelete={async (note) => (await remove.run({ params: { id, noteId: note.id } })).ok}
    />
  );
}
