import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

// E-mailed links open orders by their query, so the proxy examples log neither queries nor headers that repeat them.

const matchingLines = (name: string, word: RegExp) =>
  readFileSync(new URL(`../deploy/${name}`, import.meta.url), "utf8")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => !line.startsWith("#") && word.test(line));

test("nginx logs paths without their query", () => {
  const [format, ...others] = matchingLines("nginx.conf", /^log_format\b/);
  expect(others).toEqual([]);
  expect(format).toContain("$uri");
  expect(format).not.toMatch(
    /\$(request|request_uri|args|query_string|is_args|http_referer|sent_http_location)\b(?!_)/,
  );
  const logs = matchingLines("nginx.conf", /^access_log\b/);
  expect(logs.length).toBeGreaterThan(0);
  for (const log of logs) expect(log).toMatch(/ palmira;$/);
  // The proxy's minor errors contain the whole request.
  for (const log of matchingLines("nginx.conf", /^error_log\b/)) expect(log).toMatch(/ crit;$/);
});

test("HAProxy logs paths without their query", () => {
  const formats = matchingLines("haproxy.cfg", /^(error-)?log-format\b/);
  expect(formats.length).toBeGreaterThan(0);
  for (const format of formats) {
    expect(format).toContain("%HPO");
    expect(format).not.toMatch(/%(HU|HQ|HP\b|r\b|hr|hs|\[)/);
  }
  expect(matchingLines("haproxy.cfg", /^(option httplog|capture)\b/)).toEqual([]);
});

test("Caddy removes the query from logged URLs, referrers and redirections", () => {
  expect(matchingLines("Caddyfile", /^(request|resp_headers)>/)).toEqual([
    'request>uri regexp \\?.* ""',
    "request>headers>Referer delete",
    "resp_headers>Location delete",
  ]);
});
