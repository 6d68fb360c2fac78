import { redirect } from "react-router";

/** Address of My Orders in the shop's former software. */
export function loader() {
  return redirect("/orders", 301);
}
