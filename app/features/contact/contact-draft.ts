import * as v from "valibot";
import type { ContactValues } from "./contact-outcome.ts";

const key = "contact-form";
const text = v.optional(v.string(), "");
const draftSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ name: text, email: text, subject: text, message: text }),
);

/** What was typed in this browser tab and not sent yet, in whichever of the forms; null: nothing. */
export function readContactDraft(): ContactValues | null {
  try {
    const draft = v.safeParse(draftSchema, sessionStorage.getItem(key));
    return draft.success ? draft.output : null;
  } catch {
    return null;
  }
}

export function keepContactDraft(values: ContactValues): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(values));
  } catch {
    // Full or forbidden storage: the entries last as long as the page.
  }
}

export function dropContactDraft(): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Then nothing was kept either.
  }
}
