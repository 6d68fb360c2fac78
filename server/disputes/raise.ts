import { type NewIssue, raiseIssue } from "../issues/issues.ts";
import type { Db } from "../platform/database/database.ts";
import { notifyDevices } from "../push/notify.ts";

/** Puts a dispute, or its end, before the owner, once each; a new dispute is also told to the devices that want to know. */
export async function raiseDispute(
  tx: Db,
  issue: NewIssue & { kind: "dispute" | "dispute_closed"; orderId: string },
): Promise<void> {
  const isNew = await raiseIssue(tx, issue);
  if (isNew && issue.kind === "dispute") await notifyDevices(tx, "dispute", issue.orderId);
}
