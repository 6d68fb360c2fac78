/** Units by product id. */
export type CartUnits = ReadonlyMap<number, number>;

/** One of the cart calls of the API. */
export type MirrorCall =
  | { call: "add"; productId: number; quantity: number }
  | { call: "remove"; productId: number }
  | { call: "clear" };

/**
 * The next call that brings the server's copy of the cart nearer to the browser's, or null when they agree.
 * `mirrored` is what the server holds; null where that is unknown, so that the copy is made anew. The server can
 * only add to a line or drop it, hence fewer units are told as remove, then add.
 */
export function nextMirrorCall(mirrored: CartUnits | null, wanted: CartUnits): MirrorCall | null {
  if (mirrored === null || (wanted.size === 0 && mirrored.size > 0)) return { call: "clear" };
  for (const [productId, units] of mirrored) {
    if (units > (wanted.get(productId) ?? 0)) return { call: "remove", productId };
  }
  for (const [productId, units] of wanted) {
    const missing = units - (mirrored.get(productId) ?? 0);
    if (missing > 0) return { call: "add", productId, quantity: missing };
  }
  return null;
}

/** What the server holds once `call` was carried out. */
export function afterMirrorCall(mirrored: CartUnits | null, call: MirrorCall): CartUnits {
  const units = new Map(call.call === "clear" ? [] : mirrored);
  if (call.call === "remove") units.delete(call.productId);
  if (call.call === "add") units.set(call.productId, (units.get(call.productId) ?? 0) + call.quantity);
  return units;
}
