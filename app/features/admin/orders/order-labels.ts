import type { AdminOrder } from "../../../../domain/orders/admin-order.ts";
import type {
  AdminOrderRow,
  DeliveryLabel,
  OrderFilter,
  PaymentLabel,
} from "../../../../domain/orders/admin-orders.ts";
import { buyerName } from "../../../../domain/orders/first-name.ts";
import { orderStatusLabel } from "../../../../domain/orders/order-status.ts";
import { formatCents } from "../../../../domain/shared/money.ts";

const paymentBadges: Record<PaymentLabel, { label: string; tone: "green" | "yellow" | "red" | "cream" }> = {
  succeeded: { label: "Paid", tone: "green" },
  pending: { label: "Pending", tone: "yellow" },
  canceled: { label: "Never paid", tone: "cream" },
  refunded: { label: "Refunded", tone: "red" },
};

/**
 * `chargedBack`: cents that the buyer's bank took back for good. `payment`: state of the payment, which shows whether a
 * pending order waits for the bank or for the buyer.
 */
export function paymentBadge({
  status,
  payment,
  chargedBack,
  followUp,
}: Pick<AdminOrderRow, "status" | "payment" | "chargedBack" | "followUp">): {
  label: string;
  tone: "green" | "yellow" | "red" | "cream" | "blue";
} {
  const badge = paymentBadges[status];
  if (followUp?.kind === "replacement" && status === "succeeded") return { label: "Free", tone: "cream" };
  if (followUp?.kind === "exchange" && status === "pending" && payment !== "processing") {
    return { label: "Exchange pending", tone: "blue" };
  }
  if (status === "refunded" && chargedBack > 0) return { ...badge, label: "Charged back" };
  return status === "pending" && payment === "processing"
    ? { label: "Payment processing", tone: "blue" }
    : badge;
}

/** Such as "−$10.00 refunded" or "−$25.90 charged back"; none for the whole amount, which the badge shows. */
export function refundLabels(row: { amount: number; refunded: number; chargedBack: number }): string[] {
  const { amount, refunded, chargedBack } = row;
  return [
    ...(refunded > 0 && refunded < amount ? [`−${formatCents(refunded)} refunded`] : []),
    ...(chargedBack > 0 && chargedBack < amount ? [`−${formatCents(chargedBack)} charged back`] : []),
  ];
}

/** Labels of delivery states. `tone`: tone of the badge on the order's page; `isIdle`: whether the list mutes the label. */
export const deliveryLabels: Record<
  DeliveryLabel,
  { label: string; tone: "yellow" | "blue" | "green" | "cream" | "red"; isIdle: boolean }
> = {
  not_started: { label: "Not started", tone: "cream", isIdle: true },
  to_ship: { label: "To ship", tone: "yellow", isIdle: false },
  partly_shipped: { label: "Partly shipped", tone: "yellow", isIdle: false },
  on_hold: { label: "On hold", tone: "red", isIdle: false },
  waiting: { label: "Waiting for payment", tone: "yellow", isIdle: false },
  shipped: { label: "Shipped", tone: "blue", isIdle: false },
  delivered: { label: "Delivered", tone: "green", isIdle: false },
  cancelled: { label: "Cancelled", tone: "cream", isIdle: true },
  not_sent: { label: "Not sent", tone: "cream", isIdle: true },
};

type OrderList = { value: OrderFilter | null; label: string; title: string; hint: string };

/** The tabs of the list, each with its text for an empty list. */
export const orderTabs: OrderList[] = [
  {
    value: "to_ship",
    label: "To ship",
    title: "Nothing to ship",
    hint: "Paid orders wait here until all their units are marked as shipped.",
  },
  {
    value: "waiting",
    label: "Waiting",
    title: "No order is waiting for payment",
    hint: "Paid orders to which you added something wait here until the customer has paid for it.",
  },
  {
    value: "shipped",
    label: "On the way",
    title: "Nothing is on the way",
    hint: "Shipped orders stay here until you mark them as delivered. The return period starts then.",
  },
  {
    value: "problems",
    label: "Problems",
    title: "No problem is open",
    hint: "Orders on hold, orders whose money needs your decision, and returns waiting for your answer appear here.",
  },
  {
    value: null,
    label: "All",
    title: "No orders yet",
    hint: "Orders appear here as soon as they are paid. You are notified by email, and by text if you set a number in Notification Settings.",
  },
];

/** Lists without a tab, offered as filters. */
export const orderStates: OrderList[] = [
  {
    value: "delivered",
    label: "Delivered",
    title: "Nothing delivered yet",
    hint: "Orders appear here once you mark them as delivered.",
  },
  {
    value: "returns",
    label: "Returns",
    title: "No return is open",
    hint: "When a customer asks to send an order back, or withdraws from it, it waits here for your answer.",
  },
  {
    value: "on_hold",
    label: "On hold",
    title: "Nothing is on hold",
    hint: "Orders that you put on hold, and orders whose payment is disputed, suspected of fraud or being refunded.",
  },
  {
    value: "disputed",
    label: "Disputed",
    title: "Nothing was disputed",
    hint: "Orders whose payment a customer’s bank has disputed or asked about, open or closed.",
  },
  {
    value: "attention",
    label: "Needs attention",
    title: "Nothing needs attention",
    hint: "Orders whose money needs your decision, for example after a refund was refused.",
  },
  {
    value: "pending",
    label: "Pending",
    title: "Nothing is pending",
    hint: "Orders that were placed and not paid yet. Unpaid orders are cancelled automatically and their units released; orders whose payment is processing wait for the bank.",
  },
  {
    value: "cancelled_paid",
    label: "Cancelled",
    title: "Nothing was cancelled",
    hint: "Paid orders that you or the customer cancelled before they shipped. The payment is refunded.",
  },
  {
    value: "canceled",
    label: "Never paid",
    title: "Every order was paid",
    hint: "Orders that ended without a payment: abandoned at checkout, or not paid in time. Nobody was charged.",
  },
  {
    value: "refunded",
    label: "Refunded",
    title: "Nothing was refunded in full",
    hint: "Orders that were refunded in full. Partly refunded orders stay with the paid ones.",
  },
  {
    value: "all",
    label: "Paid or not",
    title: "No orders yet",
    hint: "Every order, paid or not.",
  },
];

/** An order's state by its payment, in the words of the panel's badges. */
export function panelStatusLabel(status: string): string {
  if (status === "completed") return "Paid";
  return status === "partially_refunded" ? "Refunded in part" : orderStatusLabel(status);
}

/** The payer, for questions about money: the buyer of a gift, not its recipient. */
export function payerName(order: Pick<AdminOrder, "customerName" | "email" | "gift" | "erasedAt">): string {
  if (order.erasedAt !== null) return "the customer";
  return buyerName(order) || order.email || "the customer";
}

/** Shortens a payment id, such as "pi_3Qx7a…". */
export function shortId(id: string): string {
  return `${id.slice(0, 8)}…`;
}
