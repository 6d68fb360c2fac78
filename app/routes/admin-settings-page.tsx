import { data } from "react-router";
import { adminLoader } from "../features/admin/admin-data.ts";
import { AdminProblem } from "../features/admin/kit/admin-page.tsx";
import { SettingsPage, type SettingsPageData } from "../features/admin/settings/settings-page.tsx";
import { settingsPages } from "../features/admin/settings/settings-pages.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-settings-page";

/** Price for examples while the shop has no product. */
const exampleCents = 2995;

export const meta: Route.MetaFunction = (args) =>
  privatePageMeta(args, pageOf(args.params)?.title ?? "Settings");

export const loader = adminLoader(async ({ params }: Route.LoaderArgs, read): Promise<SettingsPageData> => {
  const [settings, products, discounts] = await Promise.all([
    read("GET /api/admin/settings"),
    read("GET /api/products"),
    read("GET /api/admin/discounts", { query: { limit: 100 } }),
  ]);
  if (!pageOf(params)) throw data({ message: "No settings have this name." }, { status: 404 });
  return {
    settings: settings.data,
    timeZones: ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")],
    now: new Date().toISOString(),
    codes: discounts.data.map(({ code }) => code),
    exampleCents: products.data[0]?.price ?? exampleCents,
  };
});

export default function SettingsGroup({ loaderData, params }: Route.ComponentProps) {
  const page = pageOf(params);
  return page && <SettingsPage key={page.page} page={page} data={loaderData} />;
}

export function ErrorBoundary() {
  return <AdminProblem page="Settings" title="Failed to load the settings" />;
}

function pageOf({ page }: { page: string }) {
  return settingsPages.find((one) => one.page === page);
}
