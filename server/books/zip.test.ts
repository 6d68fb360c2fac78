import { expect, test } from "vitest";
import { unzip } from "../../test/zip.ts";
import { zipFiles, zipStream } from "./zip.ts";

const at = new Date("2026-10-31T12:00:00Z");
const encodeText = (text: string) => new TextEncoder().encode(text);
const createArchive = async (files: Parameters<typeof zipFiles>[0]) =>
  Buffer.concat(await Array.fromAsync(zipFiles(files)));

test("files added at once or in parts are unpacked unchanged", async () => {
  const parts = ["Total,35.90\r\n", "", "Zürich,€ 5\r\n".repeat(5_000)];
  async function* inParts() {
    for (const part of parts) yield encodeText(part);
  }
  const archive = await createArchive(
    (async function* () {
      yield { name: "orders.csv", at, bytes: inParts() };
      yield { name: "invoices/Rückgabe 1.pdf", at, bytes: encodeText("%PDF") };
      yield { name: "empty.csv", at, bytes: (async function* () {})() };
    })(),
  );
  const files = unzip(archive);
  expect([...files.keys()]).toEqual(["orders.csv", "invoices/Rückgabe 1.pdf", "empty.csv"]);
  expect(files.get("orders.csv")?.toString()).toBe(parts.join(""));
  expect(files.get("empty.csv")).toHaveLength(0);
  expect(archive.length, "compressed").toBeLessThan(2_000);
});

test("an archive can have more than 65,535 files", async () => {
  const count = 66_000;
  const archive = await createArchive(
    (async function* () {
      for (let n = 0; n < count; n += 1) yield { name: `${n}`, at, bytes: encodeText(`${n}`) };
    })(),
  );
  const files = unzip(archive);
  expect(files.size).toBe(count);
  expect(files.get("65999")?.toString()).toBe("65999");
});

test("files are read no faster than the archive is downloaded, and no further once the reader disconnects", async () => {
  let [chunkCount, isEnded] = [0, false];
  async function* endless() {
    try {
      for (;;) {
        chunkCount += 1;
        // Random bytes cannot be compressed.
        yield crypto.getRandomValues(new Uint8Array(60_000));
      }
    } finally {
      isEnded = true;
    }
  }
  const reader = zipStream(
    (async function* () {
      yield { name: "ledger.csv", at, bytes: endless() };
    })(),
  ).getReader();
  for (let n = 0; n < 5; n += 1) await reader.read();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(chunkCount).toBeLessThan(40);
  await reader.cancel();
  await expect.poll(() => isEnded).toBe(true);
});
