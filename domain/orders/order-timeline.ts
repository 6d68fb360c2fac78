import type { Order, OrderEvent, OrderShipment } from "./order.ts";
import { isGoingBack, isOpen, isOpenedForExchange, isRefunded } from "./order-return.ts";
import { orderStatusLabel } from "./order-status.ts";

type TimelineStep = {
  title: string;
  /** ISO 8601; null if it has not happened yet. */
  at: string | null;
  state: "done" | "now" | "open";
  /** The parcel, if the entry is about a shipment. */
  parcel?: OrderShipment;
};

/** An order's history for its buyer: past steps in order, then the next ones. */
export function orderTimeline(
  order: Pick<
    Order,
    | "status"
    | "createdAt"
    | "events"
    | "fulfilment"
    | "shipments"
    | "cancelledAt"
    | "allBackAt"
    | "returns"
    | "exchanges"
    | "refunds"
    | "replaces"
    | "exchangeOf"
  >,
): TimelineStep[] {
  const { cancelledAt, allBackAt, fulfilment, shipments, exchangeOf } = order;
  const events = withoutUndoneShipments(order).filter(
    ({ from, to, at }) => (from !== to && to !== "pending") || at === cancelledAt,
  );
  const lastParcel = fulfilment === null ? undefined : shipments.at(-1);
  const earlierParcels = shipments.filter((parcel) => parcel !== lastParcel);
  const steps: TimelineStep[] = [
    { title: "Order placed", at: order.createdAt, state: "done" },
    ...insertSteps(
      events.map(
        (event): DatedStep => ({
          title: eventTitle(event, order),
          at: event.at,
          state: "done",
          ...(event.to === "shipped" && lastParcel && { parcel: lastParcel }),
        }),
      ),
      [...earlierParcels.map(parcelStep), ...trackingSteps(shipments), ...returnSteps(order)],
    ),
  ];
  const isRefundAwaited = cancelledAt !== null && order.status !== "refunded" && !order.replaces;
  const hasEnded = fulfilment === null ? (allBackAt ?? cancelledAt) !== null : isGoingBack(order);
  const isPaidByExchange = exchangeOf !== null && exchangeOf.status !== "waits_for_payment";
  const openSteps = (isRefundAwaited ? ["Refunded"] : hasEnded ? [] : (nextSteps[order.status] ?? []))
    .filter((title) => !(title === "Paid" && isPaidByExchange) && !steps.some((step) => step.title === title))
    .map((title): TimelineStep => ({ title, at: null, state: "open" }));
  const currentStep = steps.at(-1);
  const isReturnOpen = order.status !== "refunded" && order.returns.some(isOpen);
  if (currentStep && (openSteps.length > 0 || isReturnOpen)) currentStep.state = "now";
  return [...steps, ...openSteps];
}

type DatedStep = TimelineStep & { at: string };

function parcelStep(parcel: OrderShipment): DatedStep {
  return { title: "Partly shipped", at: parcel.shippedAt, state: "done", parcel };
}

/** Titles of a parcel's tracking states before delivery. */
export const trackingTitles = { on_the_way: "On the way", exception: "Delayed in transit" };

/** The tracking state of the order's only parcel. Several parcels show theirs beside their contents. */
function trackingSteps([parcel, ...others]: readonly OrderShipment[]): DatedStep[] {
  if (!parcel?.tracking || others.length > 0) return [];
  const { state, since } = parcel.tracking;
  // A carrier may scan the parcel before the shop marks it as shipped.
  const wasShipped = parcel.shippedAt <= since;
  return [{ title: trackingTitles[state], at: wasShipped ? since : parcel.shippedAt, state: "done" }];
}

function returnSteps(order: Pick<Order, "returns" | "exchanges" | "refunds">): DatedStep[] {
  return order.returns.flatMap((request) => {
    const { kind, status, requestedAt, decidedAt } = request;
    const requestTitle = kind === "withdrawal" ? "You withdrew from the contract" : "You asked for a return";
    const steps: DatedStep[] = [];
    if (!isOpenedForExchange(request, order))
      steps.push({ title: requestTitle, at: requestedAt, state: "done" });
    const decision = `Return ${isRefunded(request, order) ? "refunded" : status}`;
    if (decidedAt !== null) steps.push({ title: decision, at: decidedAt, state: "done" });
    return steps;
  });
}

/** Inserts steps in the order of their times. */
function insertSteps(steps: readonly DatedStep[], additionalSteps: readonly DatedStep[]): DatedStep[] {
  const allSteps = [...steps];
  for (const step of additionalSteps) {
    const laterIndex = allSteps.findIndex(({ at }) => Date.parse(at) > Date.parse(step.at));
    allSteps.splice(laterIndex < 0 ? allSteps.length : laterIndex, 0, step);
  }
  return allSteps;
}

/** Removes shipments that were undone right after they were recorded; a refund of a shipped order undoes none. */
function withoutUndoneShipments({ events, fulfilment }: Pick<Order, "events" | "fulfilment">): OrderEvent[] {
  const remaining: OrderEvent[] = [];
  events.forEach((event, index) => {
    const shipmentIndex = remaining.findLastIndex(({ to }) => to === "shipped");
    const undoesShipment =
      event.actor === "owner" && event.from === "shipped" && event.to === remaining[shipmentIndex]?.from;
    // The last shipment of an order that is shipped now was not undone.
    const isLast = fulfilment !== null && !events.slice(index).some(({ to }) => to === "shipped");
    if (undoesShipment && !isLast) remaining.splice(shipmentIndex, 1);
    else remaining.push(event);
  });
  return remaining;
}

function eventTitle({ at, from, to }: OrderEvent, { refunds }: Pick<Order, "refunds">): string {
  if (from === to) return "Cancelled";
  // A credit is booked together with its event.
  if (refunds.some(({ isCredit, createdAt }) => isCredit && createdAt === at)) return "Exchanged";
  // A replacement is never paid.
  if (from === null) return "Being prepared";
  if (to === "completed") return from === "pending" || from === "cancelled" ? "Paid" : "Refund returned";
  return to === "cancelled" ? "Ended without payment" : orderStatusLabel(to);
}

const nextSteps: Partial<Record<Order["status"], string[]>> = {
  pending: ["Paid", "Shipped", "Delivered"],
  completed: ["Shipped", "Delivered"],
  shipped: ["Delivered"],
  partially_refunded: ["Shipped", "Delivered"],
};
