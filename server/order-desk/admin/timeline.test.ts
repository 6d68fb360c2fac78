import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { adminBrowser } from "../../../test/admin.ts";
import { confirm, order } from "../../../test/checkout.ts";
import { commandOptions, programEnvironment } from "../../../test/program-environment.ts";
import { openTestShop } from "../../../test/shop.ts";

const folder = mkdtempSync(join(tmpdir(), "palmira-timeline-"));
const shop = await openTestShop();
afterAll(async () => {
  await shop.stop();
  rmSync(folder, { recursive: true });
});

/** Runs `npm run doctor -- ...` on the shop's database. */
async function runDoctor(args: string[], input = "") {
  const program = join(import.meta.dirname, "../../../scripts/doctor.ts");
  const child = spawn(process.execPath, [...commandOptions, program, ...args], {
    cwd: folder,
    env: { ...programEnvironment(), DATABASE_URL: shop.database.url, DATA_DIR: join(folder, "data") },
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  child.stdin.end(input);
  await once(child, "close");
  return { lines: stdout.trimEnd().split("\n"), stderr, code: child.exitCode };
}

const readLog = () => shop.logLines.map((line) => JSON.parse(line));

test("log lines about an order's requests, events, jobs and messages contain its id, and the doctor command lists them by time", async () => {
  const buyer = shop.browser();
  const placed = await order(buyer);
  await confirm(buyer, placed);
  await shop.jobsDone();
  const { orderId, orderNumber } = placed.body;
  const admin = await adminBrowser(shop);
  expect(
    (await admin.post(`/api/admin/orders/${orderId}/notes`, { text: "Call first" })).status,
  ).toBeLessThan(300);
  // An order of another buyer, whose log lines must not match.
  await order(shop.browser());

  const orderLogLines = readLog().filter((line) => line.orderId === orderId);
  for (const [name, expectedFields] of [
    ["request", { msg: "request", route: "/api/stripe/create-payment-intent" }],
    ["request of the panel", { msg: "request", route: "/api/admin/orders/:id/notes" }],
    ["event", { msg: "payment event handled", requestId: expect.any(String) }],
    ["job", { msg: "job done", job: "send_message", jobId: expect.any(String) }],
    ["message", { msg: "message kept", kind: "order_confirmation" }],
  ] as const) {
    expect([name, orderLogLines]).toEqual([
      name,
      expect.arrayContaining([expect.objectContaining(expectedFields)]),
    ]);
  }
  const { rows } = await shop.database.pool.query(
    "select to_status, request_id from order_events where order_id = $1 order by id",
    [orderId],
  );
  expect(rows.map(({ to_status }) => to_status)).toEqual(["pending", "completed"]);
  expect(rows[0].request_id).toBe(placed.headers.get("x-request-id"));

  const log = join(folder, "shop.log");
  writeFileSync(log, `not json\n${shop.logLines.join("")}`);
  const report = await runDoctor(["--order", String(orderNumber), "--log", log]);
  expect(report.stderr).toBe("");
  const output = report.lines.join("\n");
  for (const part of [/written, \$/, /new -> pending, by shopper request /, /pending -> completed/])
    expect(output).toMatch(part);
  for (const part of [
    /payment .* begun with sandbox/,
    /event .* handled: \w+/,
    /order_confirmation kept/,
    /log .* request /,
  ])
    expect(output).toMatch(part);
  expect(report.lines).toEqual(report.lines.toSorted((a, b) => a.slice(0, 24).localeCompare(b.slice(0, 24))));
  expect(output).not.toContain("@");

  // Log lines as journald prints them.
  const journalLines = shop.logLines.map((line) => JSON.stringify({ MESSAGE: line.trim() })).join("\n");
  expect((await runDoctor(["--order", orderId, "--log", "-"], journalLines)).lines).toEqual(report.lines);
});

test("the doctor command reports an unknown order and a wrong option in one line", async () => {
  expect(await runDoctor(["--order", "999"])).toMatchObject({ code: 1, stderr: "There is no order 999.\n" });
  expect((await runDoctor(["--log", "x"])).stderr).toMatch(/^--log needs --order. Usage/);
});
