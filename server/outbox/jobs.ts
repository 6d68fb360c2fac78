import { type Task, task } from "../platform/jobs.ts";
import { checkText } from "./check-text.ts";
import { checkTextJob, sendMessageJob } from "./job-kinds.ts";
import { type NotificationParts, sendMessage } from "./send.ts";

export function notificationTasks(parts: NotificationParts): Task[] {
  return [
    task(sendMessageJob, ({ messageId }, context) => sendMessage(parts, messageId, context)),
    task(checkTextJob, (check, context) => checkText(parts, check, context)),
  ];
}
