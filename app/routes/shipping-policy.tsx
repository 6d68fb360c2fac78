import { contentMeta, loadPage } from "../features/content/load-page.ts";
import { PolicyPage } from "../features/content/policy-page.tsx";
import { shopPicture } from "../features/content/shop-picture.ts";
import type { Route } from "./+types/shipping-policy";

const picture = shopPicture(
  "open-parcel.jpg",
  "An open cardboard package with the bottle and its green box in shredded paper, and a card that says thank you",
);

export const loader = ({ context }: Route.LoaderArgs) => loadPage(context, "shipping-policy");

export const meta: Route.MetaFunction = (args) => contentMeta(args, { path: "/shipping-policy" });

export default function ShippingPolicy({ loaderData }: Route.ComponentProps) {
  return <PolicyPage {...loaderData} picture={picture} />;
}
