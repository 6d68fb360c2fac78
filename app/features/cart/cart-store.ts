import { useSyncExternalStore } from "react";
import { cartLinesMax, clampQuantity } from "../../../domain/cart/cart-limits.ts";
import { adoptMirrored, mirrorCart } from "./cart-mirror.ts";
import { restoreCart } from "./cart-restore.ts";
import { type CartItem, type CartProduct, toCartProduct } from "./cart-storage.ts";
import { isCartKey, isStorageUsable, readCart, writeCart } from "./local-cart.ts";

type CartState = { items: readonly CartItem[]; ready: boolean };

const empty: CartState = { items: [], ready: false };
let state = empty;
let loaded = false;
let restoring = false;
const listeners = new Set<() => void>();

/**
 * The shopper's cart, the same in every component and tab. Empty and not `ready` on the server and until local storage
 * has been read. `count` is units.
 */
export function useCart() {
  const { items, ready } = useSyncExternalStore(
    subscribe,
    () => state,
    () => empty,
  );
  return {
    items,
    ready,
    count: items.reduce((sum, { quantity }) => sum + quantity, 0),
    add,
    setQuantity,
    remove,
    clear,
    updateProduct,
  };
}

/** The same product again raises its line's quantity. A cart that is full of lines stays as it is. */
function add(product: CartProduct, quantity: number): void {
  change((items) => {
    const line = items.find((item) => item.product.id === product.id);
    if (!line && items.length >= cartLinesMax) return items;
    const added = {
      product: toCartProduct(product),
      quantity: clampQuantity((line?.quantity ?? 0) + quantity),
    };
    return line ? items.map((item) => (item === line ? added : item)) : [...items, added];
  });
}

function setQuantity(productId: number, quantity: number): void {
  change((items) =>
    items.map((item) =>
      item.product.id === productId ? { ...item, quantity: clampQuantity(quantity) } : item,
    ),
  );
}

function remove(productId: number): void {
  change((items) => items.filter(({ product }) => product.id !== productId));
}

function clear(): void {
  change(() => []);
}

/** What the shop says of a line's product now; null: it is gone. */
function updateProduct(productId: number, product: CartProduct | null): void {
  change((items) =>
    items.map((item) => {
      if (item.product.id !== productId) return item;
      if (product === null) return { ...item, gone: true };
      return { product: toCartProduct(product), quantity: item.quantity };
    }),
  );
}

function change(edit: (items: readonly CartItem[]) => readonly CartItem[]): void {
  load();
  // Another tab may have changed the cart a moment ago, its event not yet here.
  const items = edit(readCart() ?? state.items);
  writeCart(items);
  set({ items, ready: true });
  if (!restoring) mirrorCart(items);
}

function load(): void {
  if (loaded) return;
  loaded = true;
  const items = readCart();
  if (items) {
    adoptMirrored(items);
    state = { items, ready: true };
  } else {
    void restore();
  }
  window.addEventListener("storage", (event) => {
    if (!isCartKey(event.key) || !isStorageUsable()) return;
    const current = readCart() ?? [];
    adoptMirrored(current);
    set({ items: current, ready: true });
  });
}

/** A browser without any cart asks the server for the copy of an earlier one. */
async function restore(): Promise<void> {
  restoring = true;
  const restored = await restoreCart();
  restoring = false;
  const present = readCart() ?? state.items;
  const missing = (restored ?? []).filter(
    (line) => !present.some(({ product }) => product.id === line.product.id),
  );
  const items = [...present, ...missing].slice(0, cartLinesMax);
  // Not knowing is not an empty cart: without an answer the next page asks again.
  if (restored) writeCart(items);
  adoptMirrored(restored ?? []);
  mirrorCart(items);
  set({ items, ready: true });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  load();
  return () => listeners.delete(listener);
}

function set(next: CartState): void {
  state = next;
  for (const listener of listeners) listener();
}
