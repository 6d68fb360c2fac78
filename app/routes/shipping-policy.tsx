import Words, { frontmatter } from "../../content/shipping-policy.mdx";
import { loadPage } from "../features/editorial/load-page.ts";
import { PolicyPage } from "../features/editorial/policy-page.tsx";
import { words } from "../features/editorial/words.tsx";
import { pageMeta } from "../seo/page-meta.ts";
import { shopPicture } from "../ui/shop-picture.ts";
import type { Route } from "./+types/shipping-policy";

const picture = shopPicture(
  "open-parcel.jpg",
  "An open cardboard parcel with the bottle and its green box in shredded paper, and a card that says thank you",
);

export const loader = ({ context }: Route.LoaderArgs) => loadPage(context);

export const meta: Route.MetaFunction = (args) =>
  pageMeta(args, { ...frontmatter, path: "/shipping-policy" });

export default function ShippingPolicy({ loaderData }: Route.ComponentProps) {
  return (
    <PolicyPage head={frontmatter} facts={loaderData.facts} picture={picture}>
      <Words components={words} />
    </PolicyPage>
  );
}
