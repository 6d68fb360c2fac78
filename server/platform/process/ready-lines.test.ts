import { expect, test } from "vitest";
import { readyLines } from "./ready-lines.ts";

const facts = {
  publicUrl: "http://localhost:5000",
  newAccessCode: "ABCD-1234",
  dataDir: "/srv/palmira data",
  isDatabaseEmbedded: true,
  payments: "sandbox",
  isMailSent: false,
} as const;

test("the first start prints URLs, access code, data folder, payments and mail in at most six lines", () => {
  const lines = readyLines(facts);

  expect(lines.length).toBeLessThanOrEqual(6);
  const text = lines.join("\n");
  expect(text).toContain("http://localhost:5000/admin");
  expect(text).toContain("/srv/palmira data");
  expect(text).toMatch(/payments are simulated/i);
  expect(text).toMatch(/email is kept/i);
  expect(lines).toContain("Admin access code: ABCD-1234");
});

test("later starts print no access code", () => {
  expect(readyLines({ ...facts, newAccessCode: null }).join("\n")).not.toMatch(/access code/i);
});
