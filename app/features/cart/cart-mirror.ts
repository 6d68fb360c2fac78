import { callApi } from "../api.ts";
import type { CartItem } from "./cart-storage.ts";

/** The server's copy of the cart; null if it is unknown. */
let serverUnits: CartUnits | null = new Map();
/** The browser's cart. */
let browserUnits: CartUnits = new Map();
let isRunning = false;

/** Marks items from storage or another tab as mirrored, because they were already sent to the server. */
export function markMirrored(items: readonly CartItem[]): void {
  serverUnits = browserUnits = unitsByProduct(items);
}

/**
 * Copies the cart to the server in the background, one call at a time. After a failed call, the rest is sent with the
 * next edit.
 */
export function mirrorCart(items: readonly CartItem[]): void {
  browserUnits = unitsByProduct(items);
  if (!isRunning) void sendCalls();
}

/** Sends the whole cart again, for a server that has lost it or was unreachable. */
export function resendCart(): void {
  serverUnits = null;
  if (!isRunning && browserUnits.size > 0) void sendCalls();
}

async function sendCalls(): Promise<void> {
  isRunning = true;
  for (
    let call = nextMirrorCall(serverUnits, browserUnits);
    call;
    call = nextMirrorCall(serverUnits, browserUnits)
  ) {
    const response = await send(call);
    const isRefused = !response.ok && response.problem.status >= 400 && response.problem.status < 500;
    if (!response.ok && (!isRefused || response.problem.status === 429)) {
      serverUnits = null;
      break;
    }
    // A refused line (sold out, removed) counts as sent: the server would refuse it again.
    serverUnits = afterMirrorCall(serverUnits, call);
  }
  isRunning = false;
}

function send(call: MirrorCall) {
  if (call.call === "clear") return callApi("POST /api/cart/clear");
  const { productId } = call;
  if (call.call === "remove") return callApi("POST /api/cart/remove", { body: { productId } });
  return callApi("POST /api/cart/add", { body: { productId, quantity: call.quantity } });
}

function unitsByProduct(items: readonly CartItem[]): CartUnits {
  return new Map(items.map(({ product, quantity }) => [product.id, quantity]));
}

/** Units by product id. */
export type CartUnits = ReadonlyMap<number, number>;

type MirrorCall =
  | { call: "add"; productId: number; quantity: number }
  | { call: "remove"; productId: number }
  | { call: "clear" };

/**
 * The next call that makes the server's copy of the cart (`serverUnits`) more like the browser's (`browserUnits`), or
 * null when they are equal. An unknown copy (null) is cleared and rebuilt. The calls can only add units or remove a
 * line, so a line with fewer units is removed and added again.
 */
export function nextMirrorCall(serverUnits: CartUnits | null, browserUnits: CartUnits): MirrorCall | null {
  if (serverUnits === null || (browserUnits.size === 0 && serverUnits.size > 0)) return { call: "clear" };
  for (const [productId, units] of serverUnits) {
    if (units > (browserUnits.get(productId) ?? 0)) return { call: "remove", productId };
  }
  for (const [productId, units] of browserUnits) {
    const missingUnits = units - (serverUnits.get(productId) ?? 0);
    if (missingUnits > 0) return { call: "add", productId, quantity: missingUnits };
  }
  return null;
}

/** The server's copy after `call`. */
export function afterMirrorCall(serverUnits: CartUnits | null, call: MirrorCall): CartUnits {
  const units = new Map(call.call === "clear" ? [] : serverUnits);
  if (call.call === "remove") units.delete(call.productId);
  if (call.call === "add") units.set(call.productId, (units.get(call.productId) ?? 0) + call.quantity);
  return units;
}
