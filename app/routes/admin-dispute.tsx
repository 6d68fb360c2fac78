import { adminLoader } from "../features/admin/admin-data.ts";
import { DisputePage } from "../features/admin/disputes/dispute-page.tsx";
import { problemPage } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-dispute";

export const meta: Route.MetaFunction = (args) =>
  privatePageMeta(args, args.loaderData ? `Dispute: order #${args.loaderData.page.order.number}` : "Dispute");

export const loader = adminLoader(async ({ params: { id } }: Route.LoaderArgs, read) => {
  const { data: page } = await read("GET /api/admin/disputes/:id", { params: { id } });
  return { page };
});

export default function AdminDispute({ loaderData: { page } }: Route.ComponentProps) {
  return <DisputePage key={page.dispute.id} page={page} />;
}

export const ErrorBoundary = problemPage("Dispute", "The dispute could not be loaded");
