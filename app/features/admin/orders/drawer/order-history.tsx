import { disputeNotes } from "../../../../../domain/disputes/dispute.ts";
import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import type { OrderEvent } from "../../../../../domain/orders/order.ts";
import { orderStatusLabel } from "../../../../../domain/orders/order-status.ts";
import { ShortDay } from "../../kit/short-day.tsx";
import { DrawerSection } from "./drawer-section.tsx";

/** Every change of the order's state with time and author, newest first. */
export function OrderHistory({ order: { events } }: { order: AdminOrder }) {
  return (
    <DrawerSection title="Timeline">
      <ol className="grid gap-3 border-l-2 border-sand pl-4">
        {[...events].reverse().map((event) => (
          <li key={`${event.at}${event.to}${event.note}`} className="text-ui">
            <span className="font-medium">{titleOf(event)}</span>
            <span className="block text-small wrap-anywhere text-ink-muted">
              <ShortDay iso={event.at} withTime />, by {event.by ?? actors[event.actor] ?? event.actor}
              {saysMore(event) && `: ${event.note}`}
            </span>
          </li>
        ))}
      </ol>
    </DrawerSection>
  );
}

/** A change of nothing but its note, as a refund among several, is named by that. */
function titleOf({ from, to, note }: OrderEvent): string {
  if (from === to || isOfDispute(note)) return note ?? orderStatusLabel(to);
  if (to === "pending") return "Placed";
  if (to === "completed") return from === "pending" || from === "cancelled" ? "Paid" : "Refund came back";
  return to === "cancelled" ? "Ended without a payment" : orderStatusLabel(to);
}

function saysMore({ from, to, note }: OrderEvent): boolean {
  if (from === to || note === null || isOfDispute(note)) return false;
  return note !== "Paid";
}

function isOfDispute(note: string | null): boolean {
  return note === disputeNotes.lost || note === disputeNotes.overturned;
}

const actors: Record<string, string> = {
  shopper: "the customer",
  provider: "the payment provider",
  owner: "the team",
  system: "the shop",
};
