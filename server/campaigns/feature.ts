import type { Feature } from "../feature.ts";
import { task } from "../platform/jobs/jobs.ts";
import { campaignsApi } from "./api.ts";
import { eraseRecipient, exportNewsletters, purgeCampaignRecipients } from "./commands.ts";
import { sendCampaignJob } from "./job.ts";
import { delayedReportJob, handleDelayedReport, mailReportsApi } from "./mail-reports.ts";
import { campaignsMail } from "./newsletter-email.ts";
import { resumeCampaignsTask, sendCampaign } from "./send.ts";

/** Newsletters to subscribers, and their results. */
export const campaignsFeature = {
  api: [...campaignsApi, ...mailReportsApi],
  tasks: (ctx) => [
    task(sendCampaignJob, ({ campaignId }, { signal }) => sendCampaign(ctx, campaignId, signal)),
    task(delayedReportJob, (report) => handleDelayedReport(ctx.db, report)),
  ],
  cron: (ctx) => [resumeCampaignsTask(ctx)],
  mail: campaignsMail,
  purges: [purgeCampaignRecipients],
  personalData: { lists: { newsletters: exportNewsletters }, erase: eraseRecipient },
} satisfies Feature;
