import { redirect } from "react-router";

/** Address of My Orders in the older shop. */
export function loader() {
  return redirect("/orders", 301);
}
