import { contentMeta, loadPage } from "../features/content/load-page.ts";
import { PolicyPage } from "../features/content/policy-page.tsx";
import type { Route } from "./+types/returns-policy";

export const loader = ({ context }: Route.LoaderArgs) => loadPage(context, "returns-policy");

export const meta: Route.MetaFunction = (args) => contentMeta(args, { path: "/returns-policy" });

export default function ReturnsPolicy({ loaderData }: Route.ComponentProps) {
  return <PolicyPage {...loaderData} />;
}
