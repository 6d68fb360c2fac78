import { readFileSync } from "node:fs";
import { join } from "node:path";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { customType } from "drizzle-orm/pg-core";
import { withInertLinks } from "../http/inert-links.ts";

/** First byte of a packed text: how the rest is packed. Texts from before have been stored as they were (migration 0012). */
const asItIs = 0;
const withDictionary = 1;
/** A quick one: better ones save a tenth. */
const params = { [constants.ZSTD_c_compressionLevel]: 1 };

/**
 * An e-mail in which all e-mails' frame and styles occur. Never change it: what was packed with it could not be read any more.
 * Once templates differ so much that e-mails no longer become small, add another one with a first byte of its own.
 */
let dictionary: Buffer | null = null;
function readDictionary(): Buffer {
  dictionary ??= readFileSync(join(import.meta.dirname, "email-dictionary-1.txt"));
  return dictionary;
}

/** A twelfth of its size, without the secret tokens of its links. */
export function packHtml(html: string): Buffer {
  const packed = zstdCompressSync(withInertLinks(html), { params, dictionary: readDictionary() });
  return Buffer.concat([Buffer.of(withDictionary), packed]);
}

export function unpackHtml(packed: Buffer): string {
  const [kind] = packed;
  const rest = packed.subarray(1);
  if (kind === asItIs) return withInertLinks(rest.toString());
  if (kind !== withDictionary) throw new Error(`a text is packed in an unknown way: ${kind}`);
  return zstdDecompressSync(rest, { dictionary: readDictionary() }).toString();
}

/**
 * HTML of e-mails, most of which is the same in all of them. PostgreSQL's own compression costs more time and leaves a third, in
 * the write-ahead log too.
 */
export const packedHtml = customType<{ data: string; driverData: Buffer }>({
  dataType: () => "bytea",
  toDriver: packHtml,
  fromDriver: unpackHtml,
});
