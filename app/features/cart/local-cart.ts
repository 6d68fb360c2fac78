import { type CartItem, cartKey, parseCart, serializeCart, setAsideCartKey } from "./cart-storage.ts";

// Storage that is full or forbidden: the cart then lives in this page's memory alone, and storage is stale.
let usable = true;

export function isStorageUsable(): boolean {
  return usable;
}

/** The stored cart; null where there is none, or none that may be believed. */
export function readCart(): CartItem[] | null {
  if (!usable) return null;
  try {
    const text = localStorage.getItem(cartKey);
    if (text === null) return null;
    const { items, complete } = parseCart(text);
    if (!complete) {
      setAside(text);
      writeCart(items);
    }
    return items;
  } catch {
    usable = false;
    return null;
  }
}

export function writeCart(items: readonly CartItem[]): void {
  try {
    localStorage.setItem(cartKey, serializeCart(items));
    usable = true;
  } catch {
    usable = false;
  }
}

/** Whether a storage event of this key is about the cart; null is storage being cleared. */
export function isCartKey(key: string | null): boolean {
  return key === cartKey || key === null;
}

/** Keeps what could not be read where it does no harm, in case the shopper asks for it. */
function setAside(text: string): void {
  try {
    localStorage.setItem(setAsideCartKey, text);
  } catch {
    // Full storage: there is no second place, and the cart matters more.
  }
}
