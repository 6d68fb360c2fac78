import { afterEach, beforeEach, expect, type MockInstance, vi } from "vitest";

let errors: MockInstance<typeof console.error>;

beforeEach(() => {
  errors = vi.spyOn(console, "error");
});

/** Unexpected output on the console fails a test. */
afterEach(() => {
  const calls = errors.mock.calls;
  errors.mockRestore();
  expect(calls, "unexpected console.error").toEqual([]);
});
