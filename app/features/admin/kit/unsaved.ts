import { readStored, readStoredJson, storeJson } from "../../browser-storage.ts";

/*
 * Typed text that is not saved yet. Each tab reads its own text back after a reload, even if another tab edits the same record;
 * a new tab starts with the text typed last in this browser.
 */

export function readUnsaved(key: string): unknown {
  return readStoredJson("session", key) ?? readStoredJson("local", key);
}

/** Stores the text of this tab, or deletes it if `value` is null; never deletes the text of another tab. */
export function storeUnsaved(key: string, value: unknown): void {
  const isOwn = readStored("local", key) === readStored("session", key);
  storeJson("session", key, value);
  if (value !== null || isOwn) storeJson("local", key, value);
}

/** Deletes the text that `readUnsaved` returns, even if a closed tab left it. */
export function deleteUnsaved(key: string): void {
  // Makes it this tab's own text, so that the next line deletes it everywhere.
  storeUnsaved(key, readUnsaved(key));
  storeUnsaved(key, null);
}
