import { readStored, store } from "../browser-storage.ts";
import { type CartItem, cartKey, parseCart, serializeCart, setAsideCartKey } from "./cart-storage.ts";

// Storage that is full or forbidden: the cart then lives in this page's memory alone, and storage is stale.
let usable = true;

export function isStorageUsable(): boolean {
  return usable;
}

/** The stored cart; null where there is none, or none that may be believed. */
export function readCart(): CartItem[] | null {
  if (!usable) return null;
  const text = readStored("local", cartKey);
  usable = text !== undefined;
  if (text === undefined || text === null) return null;
  const { items, complete } = parseCart(text);
  if (!complete) {
    // Kept where it does no harm, in case the shopper asks for it.
    store("local", setAsideCartKey, text);
    writeCart(items);
  }
  return items;
}

export function writeCart(items: readonly CartItem[]): void {
  usable = store("local", cartKey, serializeCart(items));
}

/** Whether a storage event of this key is about the cart; null is storage being cleared. */
export function isCartKey(key: string | null): boolean {
  return key === cartKey || key === null;
}
