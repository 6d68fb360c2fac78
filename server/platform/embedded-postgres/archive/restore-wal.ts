import { readFileSync, writeFileSync } from "node:fs";
import { zstdDecompressSync } from "node:zlib";
import { findArchivedFile } from "./names.ts";

// PostgreSQL's `restore_command` runs this in the data folder: `node restore-wal.ts <name> <path> <archive>`. Exit code 1:
// the archive does not have the file, as at its end. Above 125: recovery stops with an error instead of ending early
// without one.

const [name = "", path = "", archive = ""] = process.argv.slice(2);
try {
  const storedFile = await findArchivedFile(archive, name);
  if (storedFile === null) process.exitCode = 1;
  else writeFileSync(path, zstdDecompressSync(readFileSync(storedFile)));
} catch (error) {
  process.stderr.write(`${name} could not be read from ${archive}: ${error}\n`);
  process.exitCode = 200;
}
