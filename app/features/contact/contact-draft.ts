import * as v from "valibot";
import { readStoredJson, store, storeJson } from "../browser-storage.ts";
import type { ContactValues } from "./contact-outcome.ts";

const key = "contact-form";
const text = v.optional(v.string(), "");
const draftSchema = v.object({ name: text, email: text, subject: text, message: text });

/** What was typed in this browser tab and not sent yet, in whichever of the forms; null: nothing. */
export function readContactDraft(): ContactValues | null {
  const draft = v.safeParse(draftSchema, readStoredJson("session", key));
  return draft.success ? draft.output : null;
}

export function saveContactDraft(values: ContactValues): void {
  storeJson("session", key, values);
}

export function discardContactDraft(): void {
  store("session", key, null);
}
