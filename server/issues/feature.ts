import { and, eq, inArray, like, or } from "drizzle-orm";
import type { Feature } from "../feature.ts";
import type { Db } from "../platform/database/database.ts";
import { issues } from "./tables.ts";

/** Issues of an order with the owner's notes. */
async function exportIssues(db: Db, orderId: string) {
  const { message, resolution, createdAt, resolvedAt } = issues;
  return db
    .select({ message, resolution, createdAt, resolvedAt })
    .from(issues)
    .where(eq(issues.orderId, orderId))
    .orderBy(issues.id);
}

/** Issues that only the owner can decide. Every feature raises them; the panel's overview lists them. */
export const issuesFeature = {
  personalData: {
    ofOrder: async (db, orderId) => ({ issues: await exportIssues(db, orderId) }),
    async eraseOrders(tx, orderIds) {
      const isOfOrders = inArray(issues.orderId, orderIds);
      await tx.update(issues).set({ resolution: null }).where(isOfOrders);
      // Their messages quote packers and carriers, and contain tracking numbers.
      const quotesOthers = or(eq(issues.kind, "packing_problem"), like(issues.kind, "label\\_%"));
      await tx
        .update(issues)
        .set({ message: "The details were deleted with the buyer’s data" })
        .where(and(isOfOrders, quotesOthers));
    },
  },
} satisfies Feature;
