import { callApi } from "../api.ts";
import { afterMirrorCall, type CartUnits, type MirrorCall, nextMirrorCall } from "./cart-changes.ts";
import type { CartItem } from "./cart-storage.ts";

let mirrored: CartUnits | null = new Map();
let wanted: CartUnits = new Map();
let running = false;

/** These items came from storage or another tab, which has told the server already. */
export function adoptMirrored(items: readonly CartItem[]): void {
  mirrored = wanted = unitsOf(items);
}

/** Tells the server of the cart, in order and in the background; a failed call is made good with the next change. */
export function mirrorCart(items: readonly CartItem[]): void {
  wanted = unitsOf(items);
  if (!running) void catchUp();
}

/** The server does not have the cart that it was told of before: it may have been away, or has forgotten it since. */
export function mirrorAgain(): void {
  mirrored = null;
  if (!running && wanted.size > 0) void catchUp();
}

async function catchUp(): Promise<void> {
  running = true;
  for (let call = nextMirrorCall(mirrored, wanted); call; call = nextMirrorCall(mirrored, wanted)) {
    const answer = await send(call);
    const refused = !answer.ok && answer.problem.status >= 400 && answer.problem.status < 500;
    if (!answer.ok && (!refused || answer.problem.status === 429)) {
      mirrored = null;
      break;
    }
    // A refused line (sold out, gone) is done with: asking again would not help.
    mirrored = afterMirrorCall(mirrored, call);
  }
  running = false;
}

function send(call: MirrorCall) {
  if (call.call === "clear") return callApi("POST /api/cart/clear");
  const { productId } = call;
  if (call.call === "remove") return callApi("POST /api/cart/remove", { body: { productId } });
  return callApi("POST /api/cart/add", { body: { productId, quantity: call.quantity } });
}

function unitsOf(items: readonly CartItem[]): CartUnits {
  return new Map(items.map(({ product, quantity }) => [product.id, quantity]));
}
