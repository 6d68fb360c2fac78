import { type Task, task } from "../platform/jobs.ts";
import { remindOfCartJob } from "./job-kinds.ts";
import { type ReminderParts, remindOfCart } from "./reminders.ts";

export function checkoutTasks(parts: ReminderParts): Task[] {
  return [task(remindOfCartJob, ({ reminderId }) => remindOfCart(parts, reminderId))];
}
