import { type RouterContextProvider, redirect } from "react-router";
import { clampQuantity } from "../../../domain/cart/cart-limits.ts";
import { type PostedChange, postedCookie } from "../../../domain/cart/posted-changes.ts";
import { apiContext, shopContext } from "../../shop-context.ts";
import { formEntries } from "../form-entries.ts";

type FormChange = Exclude<PostedChange, { kind: "atLeast" }>;
type Sent = { request: Request; context: Readonly<RouterContextProvider> };

/** A form to buy, sent without JavaScript: adds to the server's cart, and goes on to it or to checkout. */
export async function addFromForm({ request, context }: Sent) {
  const entry = await formEntries(request);
  const isBuyNow = entry("then") === "checkout";
  const line = { productId: Number(entry("productId")), quantity: clampQuantity(entry("quantity")) };
  const kind = isBuyNow ? "buyNow" : "add";
  return change({ request, context }, { kind, ...line }, isBuyNow ? keptCheckoutPath : keptCartPath);
}

/** A form of the cart page, sent without JavaScript. */
export async function changeFromForm({ request, context }: Sent) {
  const entry = await formEntries(request);
  const productId = Number(entry("productId"));
  switch (entry("change")) {
    case "clear":
      return change({ request, context }, { kind: "clear" });
    case "remove":
      return change({ request, context }, { kind: "set", productId, quantity: 0 });
    default:
      return change(
        { request, context },
        { kind: "set", productId, quantity: clampQuantity(entry("quantity")) },
      );
  }
}

/** Cart and checkout as the shop keeps them for this browser, for want of a cart of its own; the root leads here, too. */
const keptCartPath = "/cart?kept=1";
const keptCheckoutPath = "/checkout?kept=1";

async function change({ request, context }: Sent, posted: FormChange, next = keptCartPath) {
  const answer = await call(context, posted);
  if (!answer.ok) {
    const { status, error } = answer.problem;
    return redirect(`${keptCartPath}&problem=${status === 429 ? "busy" : error}`, 303);
  }
  return changed({ request, context }, [posted], answer.body.items, next);
}

/** The way on after the server's cart was changed, with what tells the browser's own cart. */
export function changed(
  { request, context }: Sent,
  changes: PostedChange[],
  cart: readonly { productId: number; quantity: number }[],
  next = keptCartPath,
) {
  const isSecure = context.get(shopContext).frame.publicUrl.startsWith("https:");
  const cookies = request.headers.get("cookie") ?? "";
  const cookie = postedCookie(cookies, changes, cart, isSecure);
  return redirect(next, { status: 303, headers: { "Set-Cookie": cookie } });
}

function call(context: Sent["context"], posted: FormChange) {
  const api = context.get(apiContext);
  if (posted.kind === "clear") return api.call("POST /api/cart/clear");
  const { kind, productId, quantity } = posted;
  if (kind !== "set") {
    return api.call("POST /api/cart/add", { body: { productId, quantity, buyNow: kind === "buyNow" } });
  }
  return quantity === 0
    ? api.call("POST /api/cart/remove", { body: { productId } })
    : api.call("POST /api/cart/set", { body: { productId, quantity } });
}

/** The cart that the server keeps for this browser, where the address asks for it; null elsewhere or without an answer. */
export async function keptCart({ request, context }: Sent) {
  if (!new URL(request.url).searchParams.has("kept")) return null;
  const answer = await context.get(apiContext).call("GET /api/cart");
  return answer.ok ? answer.body : null;
}
