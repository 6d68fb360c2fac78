import { buyerName, firstName } from "../../domain/orders/first-name.ts";
import type { Order } from "../../domain/orders/order.ts";
import { oneLine } from "./one-line.ts";

/** "Ada" of a whole name or a first one; null where none is known. */
export function helloName(name: string): string | null {
  return oneLine(firstName(name)) || null;
}

/** What the words of every e-mail about an order may name. */
export function orderFacts(order: Order) {
  return { orderNumber: String(order.number), firstName: helloName(buyerName(order)) };
}
