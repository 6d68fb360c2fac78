import { useEffect, useRef, useState } from "react";
import {
  type Evidence,
  type EvidenceText,
  type EvidenceTexts,
  evidenceTextNames,
} from "../../../../domain/payments/evidence.ts";
import { readStoredJson, storeJson } from "../../browser-storage.ts";

/** What is typed, and what it began from. */
type TypedEvidence = { revision: number; base: EvidenceTexts; texts: EvidenceTexts };
/** A text that somebody else saved otherwise while it was being changed here. */
type EvidenceConflict = { name: EvidenceText; theirs: string; mine: string };

/**
 * What is typed on top of what is saved now: texts that were not touched here follow, and one that both have changed is a
 * conflict, which stays as typed until it is decided.
 */
function rebase(typed: TypedEvidence, saved: Evidence) {
  const conflicts: EvidenceConflict[] = [];
  const base = { ...typed.base };
  const texts = { ...typed.texts };
  for (const name of evidenceTextNames) {
    const theirs = saved.texts[name];
    const mine = typed.texts[name];
    if (theirs === typed.base[name]) continue;
    if (mine !== typed.base[name] && mine !== theirs) conflicts.push({ name, theirs, mine });
    else {
      base[name] = theirs;
      texts[name] = theirs;
    }
  }
  return { typed: { revision: saved.revision, base, texts }, conflicts };
}

const startOf = ({ revision, texts }: Evidence): TypedEvidence => ({ revision, base: texts, texts });

/** The evidence as it is being written, kept in this browser until it is saved: a reload loses nothing. */
export function useEvidenceDraft(disputeId: string, saved: Evidence) {
  const key = `admin-dispute-${disputeId}`;
  const [stored, setStored] = useState(() => startOf(saved));
  const { typed, conflicts } = rebase(stored, saved);
  const isDirty = evidenceTextNames.some((name) => typed.texts[name] !== typed.base[name]);
  const isReady = useRef(false);
  // After the first render, which is the server's: it knows nothing of what this browser has kept.
  useEffect(() => {
    const kept = readStoredJson("local", key);
    if (isTyped(kept)) setStored(kept);
    isReady.current = true;
  }, [key]);
  useEffect(() => {
    if (isReady.current) storeJson("local", key, isDirty ? typed : null);
  }, [key, isDirty, typed]);
  return {
    texts: typed.texts,
    revision: typed.revision,
    conflicts,
    isDirty,
    change: (name: EvidenceText, text: string) =>
      setStored({ ...typed, texts: { ...typed.texts, [name]: text } }),
    settle(name: EvidenceText, choice: "mine" | "theirs") {
      const theirs = { [name]: saved.texts[name] };
      setStored({
        ...typed,
        base: { ...typed.base, ...theirs },
        texts: choice === "theirs" ? { ...typed.texts, ...theirs } : typed.texts,
      });
    },
    /** What is saved now is what there is. */
    reset: (to: Evidence = saved) => setStored(startOf(to)),
  };
}

function isTyped(kept: unknown): kept is TypedEvidence {
  return typeof kept === "object" && kept !== null && "base" in kept && "texts" in kept && "revision" in kept;
}
