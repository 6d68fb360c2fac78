const key = "cart-cleared-for";

/** Orders remembered; older success pages are hardly opened again. */
const rememberedMax = 20;

/** Whether the cart was emptied for this order before. */
export function isCleared(orderId: string): boolean {
  return clearedOrders().includes(orderId);
}

export function rememberCleared(orderId: string): void {
  try {
    localStorage.setItem(key, [orderId, ...clearedOrders()].slice(0, rememberedMax).join(" "));
  } catch {
    // Full or forbidden storage: a reload of that page empties the cart again.
  }
}

function clearedOrders(): string[] {
  try {
    return (localStorage.getItem(key) ?? "").split(" ");
  } catch {
    return [];
  }
}
