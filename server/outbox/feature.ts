import type { Feature } from "../feature.ts";
import { task } from "../platform/jobs/jobs.ts";
import { testMail } from "./compose.ts";
import { requeueStuck, sendMessageJob } from "./enqueue.ts";
import { outboxApi } from "./outbox-api.ts";
import { summaryMail } from "./owner-mail.ts";
import {
  eraseMessages,
  exportMessages,
  exportOptouts,
  purgeDeletionReceipts,
  purgeOldMail,
  tidyMailFolder,
} from "./personal-data.ts";
import { messageSender } from "./send.ts";
import { checkText, checkTextJob } from "./texts.ts";

/** The e-mails and texts that the shop sends. */
export const outboxFeature = {
  api: outboxApi,
  tasks: (ctx) => {
    const sendMessage = messageSender(ctx);
    return [
      task(sendMessageJob, ({ messageId }, job) => sendMessage(messageId, job)),
      task(checkTextJob, (check, job) => checkText(ctx, check, job)),
    ];
  },
  async atStart(ctx) {
    ctx.changes.watch("kept_mail", () => tidyMailFolder(ctx));
  },
  mail: { ...testMail, ...summaryMail },
  purges: [requeueStuck, purgeDeletionReceipts, purgeOldMail],
  personalData: { lists: { emails: exportMessages }, optouts: exportOptouts, erase: eraseMessages },
} satisfies Feature;
