import { readStored, store } from "../../browser-storage.ts";

const key = "cart-cleared-for";

/** Number of orders to remember; success pages of older orders are rarely opened again. */
const maxOrders = 20;

/** Whether the cart has already been emptied for this order. */
export function isCartClearedFor(orderId: string): boolean {
  return clearedOrders().includes(orderId);
}

/** Without storage, a reload of the success page empties the cart again. */
export function markCartClearedFor(orderId: string): void {
  store("local", key, [orderId, ...clearedOrders()].slice(0, maxOrders).join(" "));
}

function clearedOrders(): string[] {
  return (readStored("local", key) ?? "").split(" ");
}
