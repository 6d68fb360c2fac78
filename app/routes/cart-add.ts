import { redirect } from "react-router";
import { addFromForm } from "../features/cart/cart-action.ts";
import type { Route } from "./+types/cart-add";

/** Handles buy forms sent without JavaScript. */
export function action(args: Route.ActionArgs) {
  return addFromForm(args);
}

/** For visitors who type the URL or return to it. */
export function loader() {
  return redirect("/cart", 302);
}
