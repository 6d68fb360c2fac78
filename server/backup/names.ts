import type { BackupKind } from "../../domain/backup/backup.ts";

/** `palmira-2026-11-22T171500Z-nightly.backup`: sorted by name, files are sorted by time. */
export function backupName(kind: BackupKind, at: Date): string {
  return `palmira-${at.toISOString().slice(0, 19).replaceAll(":", "")}Z-${kind.replaceAll("_", "-")}.backup`;
}
