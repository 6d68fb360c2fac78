import Words, { frontmatter } from "../../content/privacy.mdx";
import { loadPage } from "../features/editorial/load-page.ts";
import { PolicyPage } from "../features/editorial/policy-page.tsx";
import { words } from "../features/editorial/words.tsx";
import { pageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/privacy";

export const loader = ({ context }: Route.LoaderArgs) => loadPage(context);

export const meta: Route.MetaFunction = (args) => pageMeta(args, { ...frontmatter, path: "/privacy" });

export default function Privacy({ loaderData }: Route.ComponentProps) {
  return (
    <PolicyPage head={frontmatter} facts={loaderData.facts}>
      <Words components={words} />
    </PolicyPage>
  );
}
