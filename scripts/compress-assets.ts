import { readFileSync, writeFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** Writes a brotli and a gzip copy beside every built text file, so that the server never compresses them. */
async function compressAssets(clientDir: string): Promise<void> {
  for await (const file of glob("**/*.{js,css,svg,json,webmanifest,txt}", { cwd: clientDir })) {
    const path = `${clientDir}/${file}`;
    const content = readFileSync(path);
    writeFileSync(
      `${path}.br`,
      brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    );
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  }
}

if (import.meta.main) await compressAssets("build/client");
