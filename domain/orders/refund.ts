import { businessDays } from "../shared/business-days.ts";
import type { Refund } from "./order.ts";

/** How long banks take to show a refund. */
export const bankSentence = `Your bank may take ${businessDays([5, 10])} to show it.`;

/** Whether a refund reduces what was paid for its order: it has not failed, and the payment did not come too late. */
export function isCounted({ status, tooLate }: Pick<Refund, "status" | "tooLate">): boolean {
  return status !== "failed" && !tooLate;
}
