import { adminLoader, uuidParam } from "../features/admin/admin-data.ts";
import { problemPage } from "../features/admin/kit/admin-page.tsx";
import { DonationsPage } from "../features/admin/sales/donations-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-donations";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Donations");

export const loader = adminLoader(({ request }: Route.LoaderArgs, read) =>
  read("GET /api/admin/donations", { query: { cursor: uuidParam(request, "cursor") } }),
);

export default function AdminDonations({ loaderData }: Route.ComponentProps) {
  return <DonationsPage page={loaderData} />;
}

export const ErrorBoundary = problemPage("Donations", "Failed to load the donations");
