import { type NewIssue, raiseIssue } from "../issues/issues.ts";
import type { Db } from "../platform/database/database.ts";
import { notifyDevices } from "../push/notify.ts";

/** Raises the issue of a dispute or of its end, each only once. A new dispute also sends push notifications. */
export async function raiseDispute(
  tx: Db,
  issue: NewIssue & { kind: "dispute" | "dispute_closed"; orderId: string },
): Promise<void> {
  const isNew = await raiseIssue(tx, issue);
  if (isNew && issue.kind === "dispute") await notifyDevices(tx, "dispute", issue.orderId);
}
