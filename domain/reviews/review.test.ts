import { expect, test } from "vitest";
import { averageRating } from "./review.ts";

test.each([
  [14, 3, 4.7],
  [9, 2, 4.5],
  [5, 1, 5],
  [17, 4, 4.3],
  [13, 4, 3.3],
])("ratings adding up to %i in %i reviews average %d", (ratingSum, count, average) => {
  expect(averageRating(ratingSum, count)).toBe(average);
});

test("without reviews there is no average rating", () => {
  expect(averageRating(0, 0)).toBeNull();
});
