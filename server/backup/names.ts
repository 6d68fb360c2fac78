/** Why a backup was made, as its file's name says: sorted by name they are sorted by time. */
export type BackupKind = "nightly" | "manual" | "before-migration" | "by-hand";

/** `palmira-2026-11-22T171500Z-nightly.backup` */
export function backupName(kind: BackupKind, at: Date): string {
  return `palmira-${at.toISOString().slice(0, 19).replaceAll(":", "")}Z-${kind}.backup`;
}
