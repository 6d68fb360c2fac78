import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { encode, preferredEncoding } from "./content-encoding.ts";

test.each([
  [null, "identity"],
  ["", "identity"],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip", "gzip"],
  ["GZIP;Q=0.8", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["br;q=0.2, gzip;q=0.9", "gzip"],
  ["gzip;q=0, br;q=0", "identity"],
  ["*", "br"],
  ["*;q=0", "identity"],
  ["br;q=0, *", "gzip"],
  ["identity", "identity"],
  ["identity;q=1, gzip;q=0.5", "identity"],
  ["identity;q=0.5, gzip;q=1", "gzip"],
  ["deflate, zstd", "identity"],
  ["br;q=nonsense", "identity"],
])("a request with Accept-Encoding %j gets %s", (accepted, encoding) => {
  expect(preferredEncoding(accepted)).toBe(encoding);
});

test("a page decodes to the same bytes from every encoding", () => {
  const page = Buffer.from("<p>Oro de Palma</p>".repeat(200));
  const [br, gzip, identity] = [encode(page, "br"), encode(page, "gzip"), encode(page, "identity")];
  expect([brotliDecompressSync(br), gunzipSync(gzip), identity]).toEqual([page, page, page]);
  expect(br.length).toBeLessThan(page.length / 10);
});
