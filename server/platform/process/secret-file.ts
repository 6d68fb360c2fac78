import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

/** The secret in `path` (mode 600), generated at the first call: 32 random bytes, base64url. */
export function secretFile(path: string): string {
  if (!existsSync(path)) {
    // Renamed into place, so that a killed process leaves no empty secret.
    writeFileSync(`${path}.new`, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }
  return readFileSync(path, "utf8").trim();
}
