import { adminLoader } from "../features/admin/admin-data.ts";
import { AdminProblem } from "../features/admin/kit/admin-page.tsx";
import { DonationsPage } from "../features/admin/sales/donations-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-donations";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Donations");

export const loader = adminLoader(({ request }: Route.LoaderArgs, read) => {
  const cursor = new URL(request.url).searchParams.get("cursor");
  const isCursor = cursor !== null && /^[0-9a-f-]{36}$/i.test(cursor);
  return read("GET /api/admin/donations", { query: isCursor ? { cursor } : {} });
});

export default function AdminDonations({ loaderData }: Route.ComponentProps) {
  return <DonationsPage page={loaderData} />;
}

export function ErrorBoundary(_: Route.ErrorBoundaryProps) {
  return <AdminProblem page="Donations" title="Failed to load the donations" />;
}
