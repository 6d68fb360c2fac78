import { useState } from "react";
import * as v from "valibot";
import { uuidSchema } from "../../../../domain/shared/uuid.ts";
import { readStoredJson, store, storeJson } from "../../browser-storage.ts";
import { randomUuid } from "../kit/random-uuid.ts";

type Draft = {
  text: string;
  /** Sent with every attempt, so that the answer is e-mailed once. */
  replyId: string;
};

const draftSchema = v.object({ text: v.string(), replyId: uuidSchema });
const keyOf = (messageId: string) => `admin-reply:${messageId}`;

/**
 * The unsent answer to a message, stored in this browser. `sentIds`: answers that the server has; a stored draft of one of
 * them is dropped, even if its call failed.
 */
export function useReplyDraft(messageId: string, sentIds: readonly string[]) {
  const [draft, setDraft] = useState<Draft | null>(null);
  const newDraft = () => ({ text: "", replyId: randomUuid() });

  function keep(text: string): void {
    const next = { ...(draft ?? newDraft()), text };
    setDraft(next);
    save(messageId, next);
  }
  function done(): void {
    dropReplyDraft(messageId);
    setDraft(null);
  }
  return {
    text: draft?.text ?? "",
    replyId: draft?.replyId ?? null,
    /** Reads the stored draft, once the page is hydrated; returns whether there is one. */
    load(): boolean {
      const storedDraft = read(messageId);
      if (storedDraft === null || sentIds.includes(storedDraft.replyId)) {
        done();
        return false;
      }
      setDraft(storedDraft);
      return true;
    },
    keep,
    done,
  };
}

function read(messageId: string): Draft | null {
  const { success, output } = v.safeParse(draftSchema, readStoredJson("local", keyOf(messageId)));
  return success && output.text.trim() !== "" ? output : null;
}

function save(messageId: string, draft: Draft): void {
  storeJson("local", keyOf(messageId), draft.text.trim() === "" ? null : draft);
}

/** Deletes the stored draft of an answer. */
export function dropReplyDraft(messageId: string): void {
  store("local", keyOf(messageId), null);
}
