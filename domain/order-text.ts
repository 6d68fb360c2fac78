import type { Order, OrderEvent } from "./order.ts";
import { orderStatusLabel } from "./order-status.ts";

// Fixed zone: server and browser must write the same day, or hydration tears.
const day = new Intl.DateTimeFormat("en-US", {
  year: "numeric",
  month: "long",
  day: "numeric",
  timeZone: "UTC",
});
const minute = new Intl.DateTimeFormat("en-US", {
  year: "numeric",
  month: "long",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZone: "UTC",
  timeZoneName: "short",
});

/** "November 19, 2026", or "N/A" for what is no time. */
export function formatDay(iso: string | null): string {
  return format(day, iso) ?? "N/A";
}

/** "November 19, 2026 at 9:14 AM UTC" */
export function formatMinute(iso: string | null): string {
  return format(minute, iso) ?? "N/A";
}

export type TimelineStep = {
  title: string;
  /** ISO 8601, null for what has not happened yet. */
  at: string | null;
  state: "done" | "now" | "open";
};

/** An order's life as its buyer follows it: what happened, in order, then what is still to come. */
export function orderTimeline(order: Pick<Order, "status" | "createdAt" | "events">): TimelineStep[] {
  const events = order.events.filter(({ from, to }) => from !== to && to !== "pending");
  const steps: TimelineStep[] = [
    { title: "Order placed", at: order.createdAt, state: "done" },
    ...events.map((event): TimelineStep => ({ title: eventTitle(event), at: event.at, state: "done" })),
  ];
  const next = (nextSteps[order.status] ?? []).map(
    (title): TimelineStep => ({ title, at: null, state: "open" }),
  );
  const last = steps.at(-1);
  if (last && next.length > 0) last.state = "now";
  return [...steps, ...next];
}

/** What a buyer must know of an order that was never paid; null for all others. */
export function unpaidNote(status: Order["status"]): string | null {
  if (status === "pending") return "Not paid yet";
  return status === "cancelled" ? "This order was cancelled. You have not been charged for it." : null;
}

function eventTitle({ from, to }: OrderEvent): string {
  if (to === "completed") return from === "pending" || from === "cancelled" ? "Paid" : "Refund returned";
  return orderStatusLabel(to);
}

const nextSteps: Partial<Record<Order["status"], string[]>> = {
  pending: ["Paid", "Shipped", "Delivered"],
  completed: ["Shipped", "Delivered"],
  shipped: ["Delivered"],
};

function format(formatter: Intl.DateTimeFormat, iso: string | null): string | null {
  const time = iso === null ? Number.NaN : Date.parse(iso);
  return Number.isNaN(time) ? null : formatter.format(time);
}
