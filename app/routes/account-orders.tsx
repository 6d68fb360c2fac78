import { redirect } from "react-router";

/** URL of My Orders in the shop's previous software. */
export function loader() {
  return redirect("/orders", 301);
}
