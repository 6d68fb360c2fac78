import { contentMeta, loadPage } from "../features/content/load-page.ts";
import { PolicyPage } from "../features/content/policy-page.tsx";
import type { Route } from "./+types/privacy";

export const loader = ({ context }: Route.LoaderArgs) => loadPage(context, "privacy");

export const meta: Route.MetaFunction = (args) => contentMeta(args, { path: "/privacy" });

export default function Privacy({ loaderData }: Route.ComponentProps) {
  return <PolicyPage {...loaderData} />;
}
