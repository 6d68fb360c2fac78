const key = "cart-cleared-for";

/** Whether the cart was emptied for this order before. */
export function isCleared(orderId: string): boolean {
  try {
    return localStorage.getItem(key) === orderId;
  } catch {
    return false;
  }
}

export function rememberCleared(orderId: string): void {
  try {
    localStorage.setItem(key, orderId);
  } catch {
    // Full or forbidden storage: a reload of that page empties the cart again.
  }
}
