import { contentMeta, loadPage } from "../features/content/load-page.ts";
import { PolicyPage } from "../features/content/policy-page.tsx";
import type { Route } from "./+types/terms";

export const loader = ({ context }: Route.LoaderArgs) => loadPage(context, "terms");

export const meta: Route.MetaFunction = (args) => contentMeta(args, { path: "/terms" });

export default function Terms({ loaderData }: Route.ComponentProps) {
  return <PolicyPage {...loaderData} />;
}
