import { useSyncExternalStore } from "react";
import { postedCookieName } from "../../../domain/cart/posted-cookie.ts";
import { changeListeners } from "../../ui/browser/browser-state.ts";
import { withAdded, withBuyNow, withoutLine, withQuantity } from "./cart-edits.ts";
import { markMirrored, mirrorCart } from "./cart-mirror.ts";
import {
  type CartItem,
  type CartProduct,
  cartKey,
  isCartKey,
  readCart,
  toCartProduct,
  writeCart,
} from "./cart-storage.ts";

type CartState = { items: readonly CartItem[]; ready: boolean };

const emptyState: CartState = { items: [], ready: false };
let state = emptyState;
/** `available` of `CartItem` by product id, from the server's last response. */
let availableUnits: ReadonlyMap<number, number | null> = new Map();
let isLoaded = false;
let isRestoring = false;
const listeners = changeListeners();

/**
 * The shopper's cart, the same in every component and tab. Empty and not `ready` on the server and until local storage
 * has been read. `count` is the number of units.
 */
export function useCart() {
  const { items, ready } = useSyncExternalStore(
    subscribe,
    () => state,
    () => emptyState,
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

function updateProduct(productId: number, product: CartProduct): void {
  change((items) =>
    items.map((item) =>
      item.product.id === productId ? { ...item, product: toCartProduct(product) } : item,
    ),
  );
}

/**
 * Stores the available units by product id, from the server's response; an empty map makes all of them unknown. A
 * product that the shop no longer has (null) stays so until it has units, because quotes report it as sold out (0).
 */
function setAvailable(response: ReadonlyMap<number, number | null>): void {
  const newUnits = [...response].filter(([id, units]) => units !== 0 || availableUnits.get(id) !== null);
  availableUnits = response.size === 0 ? response : new Map([...availableUnits, ...newUnits]);
  set(state);
}

function change(edit: (items: readonly CartItem[]) => readonly CartItem[]): void {
  load();
  // Reads storage first: another tab may have just edited the cart, and its event is still to come.
  const items = edit(readCart() ?? state.items);
  writeCart(items);
  set({ items, ready: true });
  if (!isRestoring) mirrorCart(items);
}

function load(): void {
  if (isLoaded) return;
  isLoaded = true;
  const items = readCart();
  if (items && !hasPostedEdits()) {
    markMirrored(items);
    state = { items, ready: true };
  } else {
    void restore(items != null);
  }
  // A page that Back restores has missed the storage events of the time when it was frozen.
  for (const name of ["storage", "pageshow"]) addEventListener(name, adoptStoredCart);
}

/** Shows the cart that another page has stored. */
function adoptStoredCart({
  key = cartKey,
  persisted = isCartKey(key),
}: Partial<StorageEvent & PageTransitionEvent>): void {
  const items = readCart();
  if (!persisted || items === undefined) return;
  markMirrored(items ?? []);
  set({ items: items ?? [], ready: true });
}

let serverCart: Promise<{
  module: typeof import("./cart-restore.ts") | null;
  serverItems: CartItem[] | null;
}> | null = null;

/** Loads the server's cart and the module that restores it; either is null if it cannot be loaded. */
function loadServerCart() {
  serverCart ??= import("./cart-restore.ts").then(
    async (module) => ({ module, serverItems: await module.restoreCart() }),
    () => ({ module: null, serverItems: null }),
  );
  return serverCart;
}

// Starts before hydration: the cart page has nothing else to show.
if (typeof document !== "undefined" && (hasPostedEdits() || readCart() == null)) void loadServerCart();

function hasPostedEdits(): boolean {
  return document.cookie.includes(`${postedCookieName}=`);
}

/** Shows the cart that `restoredItems` makes from the browser's and the server's. */
async function restore(hadCart: boolean): Promise<void> {
  isRestoring = true;
  const { module, serverItems } = await loadServerCart();
  isRestoring = false;
  const currentItems = readCart() ?? state.items;
  let items = currentItems;
  if (module && serverItems) {
    items = module.restoredItems(currentItems, serverItems, hadCart);
    // Stored only after a response: without one, the next page repeats the call.
    writeCart(items);
  }
  markMirrored(serverItems ?? (hadCart ? currentItems : []));
  mirrorCart(items);
  set({ items, ready: true });
}

function subscribe(listener: () => void): () => void {
  load();
  return listeners.subscribe(listener);
}

function set(next: CartState): void {
  state = {
    ...next,
    items: next.items.map((line) => ({ ...line, available: availableUnits.get(line.product.id) })),
  };
  listeners.notify();
}
