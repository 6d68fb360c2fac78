import { eq, inArray } from "drizzle-orm";
import type { Feature } from "../feature.ts";
import type { Db } from "../platform/database/database.ts";
import { issues } from "./tables.ts";

/** Issues of an order with the owner's notes. */
async function exportIssues(db: Db, orderId: string) {
  return db
    .select({
      message: issues.message,
      resolution: issues.resolution,
      createdAt: issues.createdAt,
      resolvedAt: issues.resolvedAt,
    })
    .from(issues)
    .where(eq(issues.orderId, orderId))
    .orderBy(issues.id);
}

/** Issues that only the owner can decide. Every feature raises them; the panel's overview lists them. */
export const issuesFeature = {
  personalData: {
    ofOrder: async (db, orderId) => ({ issues: await exportIssues(db, orderId) }),
    async eraseOrders(tx, orderIds) {
      await tx.update(issues).set({ resolution: null }).where(inArray(issues.orderId, orderIds));
    },
  },
} satisfies Feature;
