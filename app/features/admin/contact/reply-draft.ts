import { useState } from "react";
import * as v from "valibot";
import { uuidSchema } from "../../../../domain/shared/uuid.ts";
import { randomUuid } from "../../../ui/browser/random-uuid.ts";
import { readUnsaved, storeUnsaved } from "../kit/unsaved.ts";

type Draft = {
  text: string;
  /** Sent with every attempt, so that the answer is e-mailed once. */
  replyId: string;
};

const draftSchema = v.object({ text: v.string(), replyId: uuidSchema });
const storageKey = (messageId: string) => `admin-reply:${messageId}`;

/**
 * The unsent answer to a message, stored in this browser. `sentIds`: answers that the server has stored; a draft of
 * one of them is deleted, even if the call that sent it seemed to fail.
 */
export function useReplyDraft(messageId: string, sentIds: readonly string[]) {
  const [draft, setDraft] = useState<Draft | null>(null);
  const newDraft = () => ({ text: "", replyId: randomUuid() });

  function update(text: string): void {
    const next = { ...(draft ?? newDraft()), text };
    setDraft(next);
    save(messageId, next);
  }
  /** Gives the text a new reply id. */
  function renew(): void {
    if (draft === null) return;
    const next = { ...newDraft(), text: draft.text };
    setDraft(next);
    save(messageId, next);
  }
  function discard(): void {
    deleteReplyDraft(messageId);
    setDraft(null);
  }
  return {
    text: draft?.text ?? "",
    replyId: draft?.replyId ?? null,
    /** Loads the stored draft after hydration; returns whether there is one. */
    load(): boolean {
      const storedDraft = read(messageId);
      if (storedDraft === null || sentIds.includes(storedDraft.replyId)) {
        discard();
        return false;
      }
      setDraft(storedDraft);
      return true;
    },
    update,
    renew,
    discard,
  };
}

function read(messageId: string): Draft | null {
  const { success, output } = v.safeParse(draftSchema, readUnsaved(storageKey(messageId)));
  return success && output.text.trim() !== "" ? output : null;
}

function save(messageId: string, draft: Draft): void {
  storeUnsaved(storageKey(messageId), draft.text.trim() === "" ? null : draft);
}

export function deleteReplyDraft(messageId: string): void {
  storeUnsaved(storageKey(messageId), null);
}
