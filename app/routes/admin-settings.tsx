import { adminLoader } from "../features/admin/admin-data.ts";
import { AdminProblem } from "../features/admin/kit/admin-page.tsx";
import { SettingsIndex } from "../features/admin/settings/settings-index.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-settings";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Settings");

export const loader = adminLoader(async (_: Route.LoaderArgs) => null);

export default function SettingsTab() {
  return <SettingsIndex />;
}

export function ErrorBoundary() {
  return <AdminProblem page="Settings" title="Failed to load the settings" />;
}
