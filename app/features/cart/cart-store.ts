import { useSyncExternalStore } from "react";
import { cartLinesMax } from "../../../domain/cart/cart-limits.ts";
import { forgetPosted, postedCookieName, readPosted } from "../../../domain/cart/posted-changes.ts";
import { withAdded, withBuyNow, withoutLine, withQuantity } from "./cart-edits.ts";
import { adoptMirrored, mirrorCart } from "./cart-mirror.ts";
import { type CartItem, type CartProduct, toCartProduct } from "./cart-storage.ts";
import { isCartKey, isStorageUsable, readCart, writeCart } from "./local-cart.ts";

type CartState = { items: readonly CartItem[]; ready: boolean };

const empty: CartState = { items: [], ready: false };
let state = empty;
/** By product id, what the shop last said could be had: see `CartItem`. */
let available: ReadonlyMap<number, number | null> = new Map();
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
    buyNow,
    setQuantity,
    remove,
    clear,
    updateProduct,
    setAvailable,
  };
}

function add(product: CartProduct, quantity: number): void {
  change((items) => withAdded(items, product, quantity));
}

function buyNow(product: CartProduct, quantity: number): void {
  change((items) => withBuyNow(items, product, quantity));
}

function setQuantity(productId: number, quantity: number): void {
  change((items) => withQuantity(items, productId, quantity));
}

function remove(productId: number): void {
  change((items) => withoutLine(items, productId));
}

function clear(): void {
  change(() => []);
}

/** What the shop says of a line's product now. */
function updateProduct(productId: number, product: CartProduct): void {
  change((items) =>
    items.map((item) =>
      item.product.id === productId ? { ...item, product: toCartProduct(product) } : item,
    ),
  );
}

/** What the shop says could be had of each product; with an empty answer nothing is known any more. */
function setAvailable(answer: ReadonlyMap<number, number | null>): void {
  available = answer.size === 0 ? answer : new Map([...available, ...answer]);
  set(state);
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
  if (items && !isPosted()) {
    adoptMirrored(items);
    state = { items, ready: true };
  } else {
    void restore(items !== null);
  }
  window.addEventListener("storage", (event) => {
    if (!isCartKey(event.key) || !isStorageUsable()) return;
    const current = readCart() ?? [];
    adoptMirrored(current);
    set({ items: current, ready: true });
  });
}

let asked: Promise<{ parts: typeof import("./cart-restore.ts") | null; kept: CartItem[] | null }> | null =
  null;

/** The server's cart, null without an answer, and what it takes to make use of it. */
function askServer() {
  asked ??= import("./cart-restore.ts").then(
    async (parts) => ({ parts, kept: await parts.restoreCart() }),
    () => ({ parts: null, kept: null }),
  );
  return asked;
}

// Not only once the page is alive: the cart page has nothing else to show.
if (typeof document !== "undefined" && (isPosted() || readCart() === null)) void askServer();

function isPosted(): boolean {
  return document.cookie.includes(`${postedCookieName}=`);
}

/**
 * A browser without any cart asks the server for the copy of an earlier one. One that has a cart makes the changes there
 * that were sent to the server as forms (see `posted-changes.ts`): once, for the cookie is gone with them.
 */
async function restore(hadCart: boolean): Promise<void> {
  restoring = true;
  const { parts, kept } = await askServer();
  restoring = false;
  const present = readCart() ?? state.items;
  let items = present;
  if (parts && kept) {
    const posted = readPosted(document.cookie);
    // biome-ignore lint/suspicious/noDocumentCookie: the other way is not there in every browser
    document.cookie = forgetPosted;
    const missing = kept.filter((line) => !present.some(({ product }) => product.id === line.product.id));
    items = hadCart
      ? parts.withPosted(present, posted, kept)
      : parts.withLastBuyNow([...present, ...missing].slice(0, cartLinesMax), posted);
    // Not knowing is not an empty cart: without an answer the next page asks again.
    writeCart(items);
  }
  if (kept || !hadCart) adoptMirrored(kept ?? []);
  else adoptMirrored(present);
  mirrorCart(items);
  set({ items, ready: true });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  load();
  return () => listeners.delete(listener);
}

function set(next: CartState): void {
  state = {
    ...next,
    items: next.items.map((line) => ({ ...line, available: available.get(line.product.id) })),
  };
  for (const listener of listeners) listener();
}
