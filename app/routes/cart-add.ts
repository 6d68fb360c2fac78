import { redirect } from "react-router";
import { addFromForm } from "../features/cart/cart-action.ts";
import type { Route } from "./+types/cart-add";

/** Where the forms to buy are sent without JavaScript. */
export function action(args: Route.ActionArgs) {
  return addFromForm(args);
}

/** Somebody typed the address, or came back to it. */
export function loader() {
  return redirect("/cart", 302);
}
