import { afterEach, beforeEach, expect, type MockInstance, vi } from "vitest";

let errors: MockInstance<typeof console.error>;

beforeEach(() => {
  errors = vi.spyOn(console, "error");
});

/** What the program complains about unasked is a failure, even where every expectation holds. */
afterEach(() => {
  const calls = errors.mock.calls;
  errors.mockRestore();
  expect(calls, "unexpected console.error").toEqual([]);
});
