import * as v from "valibot";
import { defineJob } from "../platform/jobs/jobs.ts";

/** Sends a campaign from where it stands. A killed run is taken over; one that fails is tried again. */
export const sendCampaignJob = defineJob({
  name: "send_campaign",
  payload: v.object({ campaignId: v.number() }),
  lane: "letters",
  priority: 0,
  maxAttempts: 1_000,
});

export const keyOf = (campaignId: number) => `campaign:${campaignId}`;
