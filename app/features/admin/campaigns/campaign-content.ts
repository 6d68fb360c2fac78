import type { Campaign, CampaignContent } from "../../../../domain/campaigns/campaign.ts";
import type { ApiBody } from "../../../shop-context.ts";
import { callApi } from "../../api.ts";
import { useAnswer } from "../../use-answer.ts";

/** What the owner writes. */
export function contentOf(campaign: Campaign): CampaignContent {
  const { subject, preheader, heading, body, productId, buttonLabel, buttonUrl, code, audience, segment } =
    campaign;
  return { subject, preheader, heading, body, productId, buttonLabel, buttonUrl, code, audience, segment };
}

type Checked = ApiBody<"POST /api/admin/campaigns/check">["data"];

/** Pause in typing (ms) before it is checked. */
const pauseMs = 400;

/** The server's preview, problems and count of recipients; the last ones while an entry is not accepted. */
export function useCheckedCampaign(content: CampaignContent): Checked | null {
  const { body, problem } = useAnswer(
    content,
    (body, signal) => callApi("POST /api/admin/campaigns/check", { body, signal }),
    pauseMs,
  );
  if (!problem) return body?.data ?? null;
  const nothing = { warnings: [], rendered: null, recipients: 0 };
  return { ...nothing, ...body?.data, problems: problem.fields };
}
