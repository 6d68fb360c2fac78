import { useState } from "react";
import * as v from "valibot";
import { uuidSchema } from "../../../../domain/shared/uuid.ts";
import { readStoredJson, store, storeJson } from "../../browser-storage.ts";
import { randomUuid } from "../kit/random-uuid.ts";

type Draft = {
  text: string;
  /** The same for every try to send it, so that it is sent once. */
  replyId: string;
};

const draftSchema = v.object({ text: v.string(), replyId: uuidSchema });
const keyOf = (messageId: string) => `admin-reply:${messageId}`;

/**
 * The answer that is being written to a message: kept in this browser until it is sent. `sentIds`: answers that have
 * arrived; a draft of one of them is over, even where its call never heard so.
 */
export function useReplyDraft(messageId: string, sentIds: readonly string[]) {
  const [draft, setDraft] = useState<Draft | null>(null);
  const fresh = () => ({ text: "", replyId: randomUuid() });

  function keep(text: string): void {
    const next = { ...(draft ?? fresh()), text };
    setDraft(next);
    save(messageId, next);
  }
  return {
    text: draft?.text ?? "",
    replyId: draft?.replyId ?? null,
    /** Reads what is kept; call it once the page is alive. True: there is something. */
    load(): boolean {
      const kept = read(messageId);
      if (kept === null || sentIds.includes(kept.replyId)) {
        dropReplyDraft(messageId);
        setDraft(null);
        return false;
      }
      setDraft(kept);
      return true;
    },
    keep,
    done(): void {
      dropReplyDraft(messageId);
      setDraft(null);
    },
  };
}

function read(messageId: string): Draft | null {
  const kept = v.safeParse(draftSchema, readStoredJson("local", keyOf(messageId)));
  return kept.success && kept.output.text.trim() !== "" ? kept.output : null;
}

function save(messageId: string, draft: Draft): void {
  storeJson("local", keyOf(messageId), draft.text.trim() === "" ? null : draft);
}

/** Forgets what was being written to a message that is gone. */
export function dropReplyDraft(messageId: string): void {
  store("local", keyOf(messageId), null);
}
