import type { ShopContext } from "../context.ts";
import { type Task, task } from "../platform/jobs.ts";
import { checkText } from "./check-text.ts";
import { checkTextJob, sendMessageJob } from "./job-kinds.ts";
import { sendMessage } from "./send.ts";

export function outboxTasks(ctx: ShopContext): Task[] {
  return [
    task(sendMessageJob, ({ messageId }, context) => sendMessage(ctx, messageId, context)),
    task(checkTextJob, (check, context) => checkText(ctx, check, context)),
  ];
}
