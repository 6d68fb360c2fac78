import type { Order, OrderEvent } from "./order.ts";
import { orderStatusLabel } from "./order-status.ts";

/** "November 19, 2026", or "N/A" for what is no time. `timeZone`: undefined is the reader's own. */
export function formatDay(iso: string | null, timeZone: string | undefined): string {
  return format(iso, { timeZone });
}

/** "November 19, 2026 at 9:14 AM UTC" */
export function formatMinute(iso: string | null, timeZone: string | undefined): string {
  return format(iso, { timeZone, hour: "numeric", minute: "2-digit", timeZoneName: "short" });
}

/** "December 14, 2026": the last day of a period that ends at UTC-12, where a day is over last (order-actions.ts). */
export function formatLastDay(until: string): string {
  return formatDay(until, "Etc/GMT+12");
}

export type TimelineStep = {
  title: string;
  /** ISO 8601, null for what has not happened yet. */
  at: string | null;
  state: "done" | "now" | "open";
};

/** An order's life as its buyer follows it: what happened, in order, then what is still to come. */
export function orderTimeline(
  order: Pick<Order, "status" | "createdAt" | "events" | "fulfilment" | "cancelledAt" | "allBackAt">,
): TimelineStep[] {
  const { cancelledAt, allBackAt, fulfilment } = order;
  const events = order.events.filter(
    ({ from, to, at }) => (from !== to && to !== "pending") || at === cancelledAt,
  );
  const steps: TimelineStep[] = [
    { title: "Order placed", at: order.createdAt, state: "done" },
    ...events.map((event): TimelineStep => ({ title: eventTitle(event), at: event.at, state: "done" })),
  ];
  const isToComeBack = cancelledAt !== null && order.status !== "refunded";
  const isNotSent = fulfilment === null && allBackAt !== null;
  const next = (isToComeBack ? ["Refunded"] : isNotSent ? [] : (nextSteps[order.status] ?? []))
    .filter((title) => !steps.some((step) => step.title === title))
    .map((title): TimelineStep => ({ title, at: null, state: "open" }));
  const last = steps.at(-1);
  if (last && next.length > 0) last.state = "now";
  return [...steps, ...next];
}

function eventTitle({ from, to }: OrderEvent): string {
  if (from === to) return "Cancelled";
  if (to === "completed") return from === "pending" || from === "cancelled" ? "Paid" : "Refund returned";
  return to === "cancelled" ? "Ended without a payment" : orderStatusLabel(to);
}

const nextSteps: Partial<Record<Order["status"], string[]>> = {
  pending: ["Paid", "Shipped", "Delivered"],
  completed: ["Shipped", "Delivered"],
  shipped: ["Delivered"],
  partially_refunded: ["Shipped", "Delivered"],
};

function format(iso: string | null, parts: Intl.DateTimeFormatOptions): string {
  const time = iso === null ? Number.NaN : Date.parse(iso);
  if (Number.isNaN(time)) return "N/A";
  const day = { year: "numeric", month: "long", day: "numeric" } as const;
  return new Intl.DateTimeFormat("en-US", { ...day, ...parts }).format(time);
}
