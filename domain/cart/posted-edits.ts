import { postedCookieName } from "./posted-cookie.ts";

/**
 * Edits that forms without JavaScript made to the server's cart, for the browser's own cart: the response stores them in a
 * cookie, and the next page whose scripts run applies them. `quantity` 0 removes a line; `atLeast` raises its quantity to
 * that number.
 */
export type PostedEdit =
  | { kind: "add" | "buyNow" | "set"; productId: number; quantity: number }
  | { kind: "atLeast"; productId: number; quantity: number }
  | { kind: "clear" };

const cookieDays = 30;
/**
 * Beyond this number of edits, the whole cart is written instead, so that the cookie stays small in browsers that never run
 * scripts.
 */
const maxEdits = 20;

const letters = { a: "add", b: "buyNow", s: "set", l: "atLeast" } as const;
const editPattern = /^([a-z])(\d{1,10})-(\d{1,2})$/;

/** The edits in a `Cookie` header or `document.cookie`, oldest first. */
export function readPosted(cookies: string): PostedEdit[] {
  const [, text = ""] = new RegExp(`(?:^|;\\s*)${postedCookieName}=([^;]*)`).exec(cookies) ?? [];
  return text.split(".").flatMap((part): PostedEdit[] => {
    if (part === "c") return [{ kind: "clear" }];
    const [, letter, productId, quantity] = editPattern.exec(part) ?? [];
    if (letter !== "a" && letter !== "b" && letter !== "s" && letter !== "l") return [];
    return [{ kind: letters[letter], productId: Number(productId), quantity: Number(quantity) }];
  });
}

/** `Set-Cookie` header with the new edits appended; `cart` is the server's cart after them. */
export function postedCookie(
  cookies: string,
  newEdits: readonly PostedEdit[],
  cart: readonly { productId: number; quantity: number }[],
  isSecure: boolean,
): string {
  const earlierEdits = newEdits[0]?.kind === "clear" ? [] : readPosted(cookies);
  const wholeCart = (): PostedEdit[] => [
    { kind: "clear" },
    ...cart.map(({ productId, quantity }) => ({ kind: "add" as const, productId, quantity })),
  ];
  const edits =
    earlierEdits.length + newEdits.length <= maxEdits ? [...earlierEdits, ...newEdits] : wholeCart();
  return `${postedCookieName}=${edits.map(write).join(".")}; Path=/; Max-Age=${cookieDays * 86_400}; SameSite=Lax${isSecure ? "; Secure" : ""}`;
}

/** Assigned to `document.cookie` to delete the edits. */
export const expiredPostedCookie = `${postedCookieName}=; Path=/; Max-Age=0`;

function write(edit: PostedEdit): string {
  if (edit.kind === "clear") return "c";
  const letter = { add: "a", buyNow: "b", set: "s", atLeast: "l" }[edit.kind];
  return `${letter}${edit.productId}-${edit.quantity}`;
}
