import { readStored, store } from "../../browser-storage.ts";

const key = "cart-cleared-for";

/** Orders remembered; older success pages are hardly opened again. */
const rememberedMax = 20;

/** Whether the cart was emptied for this order before. */
export function isCleared(orderId: string): boolean {
  return clearedOrders().includes(orderId);
}

/** Where storage is forbidden, a reload of that page empties the cart again. */
export function rememberCleared(orderId: string): void {
  store("local", key, [orderId, ...clearedOrders()].slice(0, rememberedMax).join(" "));
}

function clearedOrders(): string[] {
  return (readStored("local", key) ?? "").split(" ");
}
