import Words, { frontmatter } from "../../content/returns-policy.mdx";
import { loadPage } from "../features/editorial/load-page.ts";
import { PolicyPage } from "../features/editorial/policy-page.tsx";
import { words } from "../features/editorial/words.tsx";
import { pageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/returns-policy";

export const loader = ({ context }: Route.LoaderArgs) => loadPage(context);

export const meta: Route.MetaFunction = (args) => pageMeta(args, { ...frontmatter, path: "/returns-policy" });

export default function ReturnsPolicy({ loaderData }: Route.ComponentProps) {
  return (
    <PolicyPage head={frontmatter} facts={loaderData.facts}>
      <Words components={words} />
    </PolicyPage>
  );
}
