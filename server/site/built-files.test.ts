import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { openTestShop } from "../../test/shop.ts";
import { purgeBuiltFiles, shareBuiltFiles } from "./built-files.ts";

const script = "export const words = 'of another version';\n".repeat(9);
const buildDir = mkdtempSync(join(tmpdir(), "palmira-build-"));

const assets = join(buildDir, "client/assets");
mkdirSync(assets, { recursive: true });
mkdirSync(join(buildDir, "images"));
writeFileSync(join(assets, "home-OTHER123.js"), script);
writeFileSync(join(assets, "home-OTHER123.js.br"), brotliCompressSync(script));
writeFileSync(join(assets, "home-OTHER123.js.gz"), "not stored");
writeFileSync(join(buildDir, "images/pool-640.0123abcd.webp"), "a picture");
const shop = await openTestShop();
afterAll(async () => {
  await shop.stop();
  rmSync(buildDir, { recursive: true });
});

const shareFiles = () => shareBuiltFiles(shop.database.db, buildDir, shop.ctx.log);
const fetchFile = (path: string, headers: Record<string, string> = {}) =>
  shop.browser().fetch(path, { headers });
const readPaths = async () =>
  (await shop.database.pool.query("select path from built_files order by 1")).rows.map(({ path }) => path);

test("the files of every build are served by servers of other builds", async () => {
  expect((await fetchFile("/assets/home-OTHER123.js")).status).toBe(404);

  const sharings = await Promise.all([shareFiles(), shareFiles()]);

  await expect.poll(async () => (await fetchFile("/assets/home-OTHER123.js")).status).toBe(200);
  const plain = await fetchFile("/assets/home-OTHER123.js");
  expect(await plain.text()).toBe(script);
  expect(plain.headers.get("content-encoding")).toBeNull();
  expect(plain.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(plain.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  const compressed = await fetchFile("/assets/home-OTHER123.js", { "Accept-Encoding": "gzip, br" });
  expect(compressed.headers.get("content-encoding")).toBe("br");
  expect(compressed.headers.get("vary")).toBe("Accept-Encoding");
  expect(Buffer.from(await compressed.arrayBuffer())).toEqual(brotliCompressSync(script));
  const picture = await fetchFile("/images/pool-640.0123abcd.webp");
  expect(await picture.text()).toBe("a picture");
  expect(picture.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  expect(await readPaths()).toEqual(["assets/home-OTHER123.js", "images/pool-640.0123abcd.webp"]);
  for (const { stop } of sharings) stop();
});

test("files of builds in use are kept, others deleted after a time or above the size limit", async () => {
  const insert = (path: string, hours: number, bytes = 1) =>
    shop.database.pool.query(
      "insert into built_files values ($1, decode(repeat('78', $2), 'hex'), false, now() - make_interval(hours => $3))",
      [path, bytes, hours],
    );
  await insert("assets/big-1.js", 48, 60);
  await insert("assets/big-2.js", 49, 60);
  await insert("assets/big-3.js", 1, 60);
  await insert("assets/old.js", 31 * 24);
  await shop.database.pool.query(
    "update built_files set seen_at = now() - interval '40 days' where path ~ 'OTHER'",
  );
  (await shareFiles()).stop();

  await purgeBuiltFiles(shop.ctx, 150);

  expect(await readPaths()).toEqual([
    "assets/big-3.js",
    "assets/home-OTHER123.js",
    "images/pool-640.0123abcd.webp",
  ]);
});
