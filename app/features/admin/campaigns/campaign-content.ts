import type { Campaign, CampaignContent } from "../../../../domain/campaigns/campaign.ts";
import type { ApiBody } from "../../../shop-context.ts";
import { callApi } from "../../api.ts";
import { useApiResult } from "../../use-api-result.ts";

/** The campaign's editable fields. */
export function campaignContent(campaign: Campaign): CampaignContent {
  const { subject, preheader, heading, body, productId, buttonLabel, buttonUrl } = campaign;
  const { code, personalCodes, audience, segment } = campaign;
  return {
    subject,
    preheader,
    heading,
    body,
    productId,
    buttonLabel,
    buttonUrl,
    code,
    personalCodes,
    audience,
    segment,
  };
}

/** Products and codes to choose from, whether the shop can send e-mail, and how many a minute. */
export type CampaignFacts = ApiBody<"GET /api/admin/campaign-facts">["data"];

export function subscribersText(count: number): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? "subscriber" : "subscribers"}`;
}

type CampaignCheck = ApiBody<"POST /api/admin/campaigns/check">["data"];

/** Pause in typing (ms) before the content is checked. */
const debounceMs = 400;

/**
 * The server's preview, problems and count of recipients. While the content is invalid, the last preview and count are kept.
 * `failure`: why the content could not be checked.
 */
export function useCampaignCheck(
  content: CampaignContent,
): (CampaignCheck & { failure: string | null }) | null {
  const { body, problem } = useApiResult(
    content,
    (body, signal) => callApi("POST /api/admin/campaigns/check", { body, signal }),
    debounceMs,
  );
  if (!problem) return body && { ...body.data, failure: null };
  const emptyCheck = { warnings: [], rendered: null, recipients: 0 };
  return { ...emptyCheck, ...body?.data, problems: problem.fields, failure: problem.message };
}
