import * as v from "valibot";
import { defineJob } from "../platform/jobs/jobs.ts";

/** Sends a campaign to its remaining recipients. A run that is killed or fails is continued by the next one. */
export const sendCampaignJob = defineJob({
  name: "send_campaign",
  payload: v.object({ campaignId: v.number() }),
  lane: "letters",
  priority: 0,
  maxAttempts: 1_000,
});

export const campaignJobKey = (campaignId: number) => `campaign:${campaignId}`;
