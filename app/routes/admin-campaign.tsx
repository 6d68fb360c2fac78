import { adminLoader } from "../features/admin/admin-data.ts";
import { CampaignEditor } from "../features/admin/campaigns/campaign-editor.tsx";
import { CampaignResults } from "../features/admin/campaigns/campaign-results.tsx";
import { problemPage } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-campaign";

export const meta: Route.MetaFunction = (args) =>
  privatePageMeta(args, args.loaderData?.campaign.subject || "New newsletter");

export const loader = adminLoader(async ({ params: { id } }: Route.LoaderArgs, read) => {
  const [campaign, facts] = await Promise.all([
    read("GET /api/admin/campaigns/:id", { params: { id } }),
    read("GET /api/admin/campaign-facts"),
  ]);
  return { campaign: campaign.data, facts: facts.data };
});

export default function AdminCampaign({ loaderData: { campaign, facts } }: Route.ComponentProps) {
  return campaign.status === "draft" ? (
    <CampaignEditor key={campaign.id} campaign={campaign} facts={facts} />
  ) : (
    <CampaignResults key={campaign.id} campaign={campaign} facts={facts} />
  );
}

export const ErrorBoundary = problemPage("Newsletters", "Failed to load the newsletter");
