import { readFileSync, writeFileSync } from "node:fs";
import { zstdDecompressSync } from "node:zlib";
import { findArchivedFile } from "./names.ts";

// PostgreSQL's `restore_command` runs this in the data folder: `node restore-wal.ts <name> <path> <archive>`. Exit code 1
// means that the archive has no such file: PostgreSQL takes it for the end of the archive and finishes recovery. After a read
// error that would lose data without notice, so the exit code is then above 125, which makes PostgreSQL abort.

const [name = "", path = "", archive = ""] = process.argv.slice(2);
try {
  const storedFile = await findArchivedFile(archive, name);
  if (storedFile === null) process.exitCode = 1;
  else writeFileSync(path, zstdDecompressSync(readFileSync(storedFile)));
} catch (error) {
  process.stderr.write(`${name} could not be read from ${archive}: ${error}\n`);
  process.exitCode = 200;
}
