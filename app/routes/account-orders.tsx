import { redirect } from "react-router";

/** The older shop's address of My Orders. */
export function loader() {
  return redirect("/orders", 301);
}
