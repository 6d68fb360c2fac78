import { type RouterContextProvider, redirect } from "react-router";
import { clampQuantity } from "../../../domain/cart/cart-limits.ts";
import { type PostedEdit, postedCookie } from "../../../domain/cart/posted-edits.ts";
import { apiContext, shopContext } from "../../shop-context.ts";
import { formEntries } from "../form-entries.ts";

type FormEdit = Exclude<PostedEdit, { kind: "atLeast" }>;
type FormRequest = { request: Request; context: Readonly<RouterContextProvider> };

/** Handles a buy form sent without JavaScript: adds to the server's cart and redirects to it or to checkout. */
export async function addFromForm({ request, context }: FormRequest) {
  const entry = await formEntries(request);
  const isBuyNow = entry("then") === "checkout";
  const line = { productId: Number(entry("productId")), quantity: clampQuantity(entry("quantity")) };
  const kind = isBuyNow ? "buyNow" : "add";
  return applyEdit({ request, context }, { kind, ...line }, isBuyNow ? serverCheckoutPath : serverCartPath);
}

/** Handles a form of the cart page, sent without JavaScript. */
export async function editFromForm({ request, context }: FormRequest) {
  const entry = await formEntries(request);
  const productId = Number(entry("productId"));
  switch (entry("change")) {
    case "clear":
      return applyEdit({ request, context }, { kind: "clear" });
    case "remove":
      return applyEdit({ request, context }, { kind: "set", productId, quantity: 0 });
    default:
      return applyEdit(
        { request, context },
        { kind: "set", productId, quantity: clampQuantity(entry("quantity")) },
      );
  }
}

/**
 * Pages that show the server's cart instead of the browser's. Browsers without scripts are redirected to them
 * (app/root.tsx).
 */
const serverCartPath = "/cart?kept=1";
const serverCheckoutPath = "/checkout?kept=1";

async function applyEdit({ request, context }: FormRequest, edit: FormEdit, next = serverCartPath) {
  const response = await editServerCart(context, edit);
  if (!response.ok) {
    const { status, error } = response.problem;
    return redirect(`${serverCartPath}&problem=${status === 429 ? "busy" : error}`, 303);
  }
  return redirectWithEdits({ request, context }, [edit], response.body.items, next);
}

/** Redirects after an edit of the server's cart, with a cookie that lets the browser repeat the edits in its own cart. */
export function redirectWithEdits(
  { request, context }: FormRequest,
  edits: PostedEdit[],
  cart: readonly { productId: number; quantity: number }[],
  next = serverCartPath,
) {
  const isSecure = context.get(shopContext).frame.publicUrl.startsWith("https:");
  const cookies = request.headers.get("cookie") ?? "";
  const cookie = postedCookie(cookies, edits, cart, isSecure);
  return redirect(next, { status: 303, headers: { "Set-Cookie": cookie } });
}

function editServerCart(context: FormRequest["context"], edit: FormEdit) {
  const api = context.get(apiContext);
  if (edit.kind === "clear") return api.call("POST /api/cart/clear");
  const { kind, productId, quantity } = edit;
  if (kind !== "set") {
    return api.call("POST /api/cart/add", { body: { productId, quantity, buyNow: kind === "buyNow" } });
  }
  return quantity === 0
    ? api.call("POST /api/cart/remove", { body: { productId } })
    : api.call("POST /api/cart/set", { body: { productId, quantity } });
}

/** The server's cart of this browser, if the URL has `?kept`; null otherwise or on failure. */
export async function readServerCart({ request, context }: FormRequest) {
  if (!new URL(request.url).searchParams.has("kept")) return null;
  const response = await context.get(apiContext).call("GET /api/cart");
  return response.ok ? response.body : null;
}
