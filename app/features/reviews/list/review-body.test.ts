import { expect, test } from "vitest";
import { reviewDate, reviewerInitials } from "./review-body.tsx";

test("initials come from the first and the last word", () => {
  expect(reviewerInitials("mary ann  smith ")).toBe("MS");
  expect(reviewerInitials("Jo")).toBe("J");
  expect(reviewerInitials("Émile 𝒵orn")).toBe("É𝒵");
});

test("the initial of an anonymous reviewer is A", () => {
  expect(reviewerInitials(null)).toBe("A");
  expect(reviewerInitials("  ")).toBe("A");
});

test("dates are long and the same in every time zone", () => {
  expect(reviewDate("2026-11-12T23:59:59Z")).toBe("November 12, 2026");
  expect(reviewDate("yesterday")).toBe("Unknown date");
});
