import { businessDays } from "../shared/business-days.ts";

/** How long banks take to show a refund. */
export const bankSentence = `Your bank may take ${businessDays([5, 10])} to show it.`;
