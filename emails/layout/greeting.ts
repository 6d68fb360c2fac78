import { buyerName, firstName } from "../../domain/orders/first-name.ts";
import type { Order } from "../../domain/orders/order.ts";
import { formatShort } from "../../domain/orders/order-text.ts";
import { oneLine } from "./one-line.ts";

/** The first word of a name; null if the name is empty. */
export function greetingName(name: string): string | null {
  return oneLine(firstName(name)) || null;
}

/** "Please pay by Nov 20" */
export function payBy(expiresAt: string, timeZone: string): string {
  return `Please pay by ${formatShort(expiresAt, timeZone, "day")}`;
}

/** Placeholder values for the texts of every e-mail about an order. */
export function orderFacts(order: Order) {
  return { orderNumber: String(order.number), firstName: greetingName(buyerName(order)) };
}
