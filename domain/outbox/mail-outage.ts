import * as v from "valibot";
import { dateIn } from "../shared/zoned-days.ts";

/** For this long (ms) e-mails have to fail, and none to leave, before anybody is told. */
export const mailOutageAfterMs = 60_000;

/** No e-mail leaves. `since`: ISO 8601 UTC, the first failure after the last e-mail that left. */
export const mailOutageSchema = v.object({
  since: v.string(),
  /** In words that go after a colon: "connection refused". */
  cause: v.string(),
  /** E-mails that were tried in vain and are tried again, counted up to 100. */
  waiting: v.number(),
});
export type MailOutage = v.InferOutput<typeof mailOutageSchema>;

/** "No email has left since 14:05: connection refused"; of another day with the date. `now`: ISO 8601. */
export function mailOutageSentence(
  { since, cause }: Pick<MailOutage, "since" | "cause">,
  { timeZone, now }: { timeZone: string; now: string },
): string {
  const at = new Date(since);
  const isToday = dateIn(timeZone, at) === dateIn(timeZone, new Date(now));
  const day = at.toLocaleDateString("en-US", { month: "short", day: "numeric", timeZone });
  const time = at.toLocaleTimeString("en-US", {
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone,
  });
  return `No email has left since ${isToday ? "" : `${day}, `}${time}: ${cause}`;
}
