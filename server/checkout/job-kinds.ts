import * as v from "valibot";
import { defineJob } from "../platform/jobs.ts";

/** Send the cart that a shopper asked for, unless there is no more reason to. */
export const remindOfCartJob = defineJob({
  name: "remind_of_cart",
  payload: v.object({ reminderId: v.pipe(v.string(), v.uuid()) }),
  lane: "mail",
  priority: 5,
  maxAttempts: 6,
});
