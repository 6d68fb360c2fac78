import { useEffect, useRef, useState } from "react";
import { fieldsOf } from "../../../ui/use-form.ts";
import { isSame } from "../../../ui/value-path.ts";
import type { ApiAnswer } from "../../api.ts";
import { readStoredJson, storeJson } from "../../browser-storage.ts";
import { changesOf, rebase, type Typed } from "./saved-form.ts";

/**
 * A form on top of what is saved, which others may change meanwhile: nothing of theirs is overwritten unseen, and nothing
 * typed is lost. With `keptAs`, what is typed is also kept in this browser under that key, over reloads and crashes.
 */
export function useSavedForm<Values extends object>(
  saved: { revision: number; values: Values },
  { problems = {}, keptAs }: { problems?: Record<string, string>; keptAs?: string } = {},
) {
  const [stored, setStored] = useState(() => startOf(saved));
  const [isRestored, setRestored] = useState(false);
  const { typed, conflicts } = rebase(stored, saved);
  const isDirty = !isSame(typed.values, typed.base);
  const isReady = useRef(false);

  // After the first render, which is the server's: it knows nothing of what this browser has kept.
  useEffect(() => {
    const kept = keptAs ? readTyped<Values>(keptAs) : null;
    if (kept) {
      setStored(kept);
      setRestored(true);
    }
    isReady.current = true;
  }, [keptAs]);
  useEffect(() => {
    if (keptAs && isReady.current) storeJson("local", keptAs, isDirty ? typed : null);
  }, [keptAs, isDirty, typed]);

  return {
    values: typed.values,
    revision: typed.revision,
    isDirty,
    /** Whether it was typed before a reload and is back. */
    isRestored: isRestored && isDirty,
    conflicts,
    changes: changesOf(typed),
    set: (change: Partial<Values>) => setStored({ ...typed, values: { ...typed.values, ...change } }),
    field: fieldsOf(typed.values, problems, (next) => setStored({ ...typed, values: next(typed.values) })),
    /** Decides conflicts: what was saved meanwhile stands, or is known and overwritten with the next save. */
    settle(names: readonly string[], choice: "mine" | "theirs", now = saved) {
      const theirs = Object.fromEntries(
        names.map((name) => [name, now.values[name as keyof Values]]),
      ) as Partial<Values>;
      setStored({
        ...typed,
        base: { ...typed.base, ...theirs },
        values: choice === "theirs" ? { ...typed.values, ...theirs } : typed.values,
      });
    },
    /** What is saved now is what there is. */
    reset(now = saved) {
      setStored(startOf(now));
      setRestored(false);
    },
    /** Sends the changes, and again where others have changed only what is not changed here: nothing of theirs is lost. */
    async send<Current, Body>(
      send: (revision: number) => Promise<ApiAnswer<Body>>,
      savedOf: (current: Current) => { revision: number; values: Values },
    ): Promise<ApiAnswer<Body>> {
      const answer = await send(typed.revision);
      const current = answer.ok ? undefined : (answer.problem.current as Current | undefined);
      if (!current) return answer;
      const now = savedOf(current);
      return rebase(typed, now).conflicts.length === 0 ? send(now.revision) : answer;
    },
  };
}

function startOf<Values>({ revision, values }: { revision: number; values: Values }): Typed<Values> {
  return { revision, base: values, values };
}

/** What this browser has kept of a form. */
export function readTyped<Values>(keptAs: string): Typed<Values> | null {
  const kept = readStoredJson("local", keptAs);
  const isTyped =
    typeof kept === "object" && kept !== null && "base" in kept && "values" in kept && "revision" in kept;
  return isTyped ? (kept as Typed<Values>) : null;
}
