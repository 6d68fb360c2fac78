import * as v from "valibot";
import { dateIn } from "../shared/zoned-days.ts";

/** The owner is alerted once e-mails have failed for this long (ms) and none was sent. */
export const mailOutageAfterMs = 60_000;

/** `since`: ISO 8601 UTC, the first failure after the last e-mail sent. */
export const mailOutageSchema = v.object({
  since: v.string(),
  /** The cause in words to follow a colon: "connection refused". */
  cause: v.string(),
  /** E-mails that failed and will be retried, counted up to 100. */
  waiting: v.number(),
});
export type MailOutage = v.InferOutput<typeof mailOutageSchema>;

/** "No email has left since 2:05 PM: connection refused"; with the date if that was not today. `now`: ISO 8601. */
export function mailOutageSentence(
  { since, cause }: Pick<MailOutage, "since" | "cause">,
  { timeZone, now }: { timeZone: string; now: string },
): string {
  const at = new Date(since);
  const isToday = dateIn(timeZone, at) === dateIn(timeZone, new Date(now));
  const day = at.toLocaleDateString("en-US", { month: "short", day: "numeric", timeZone });
  const time = at.toLocaleTimeString("en-US", { hour: "numeric", minute: "2-digit", timeZone });
  return `No email has left since ${isToday ? "" : `${day}, `}${time}: ${cause}`;
}
