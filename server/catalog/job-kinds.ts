import * as v from "valibot";
import { defineJob } from "../platform/jobs.ts";

/** Makes the sizes of an uploaded picture, after which shoppers see it. */
export const makePictureJob = defineJob({
  name: "make_picture",
  payload: v.object({ imageId: v.number() }),
  lane: "upkeep",
  // The owner waits for it.
  priority: 0,
  maxAttempts: 4,
});
