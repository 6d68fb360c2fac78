import { useEffect, useRef, useState } from "react";
import { formFields, isSame } from "../../../../ui/use-form.ts";
import type { ApiResult } from "../../../api.ts";
import { readUnsaved, storeUnsaved } from "../unsaved.ts";

/**
 * A form for a saved record that other people may change at the same time: newer values are not overwritten unnoticed, and
 * typed text is never lost. With `storageKey` the typed values are also stored in this browser under that key, until they
 * are saved.
 */
export function useSavedForm<Values extends object>(
  saved: { revision: number; values: Values },
  { problems = {}, storageKey }: { problems?: Record<string, string>; storageKey?: string } = {},
) {
  const [draft, setDraft] = useState(() => unchanged(saved));
  const [isRestored, setRestored] = useState(false);
  const { edits, conflicts } = rebase(draft, saved);
  const isDirty = !isSame(edits.values, edits.base);
  const isReady = useRef(false);

  // After the first render, which must match the server's: it cannot read this browser's storage.
  // biome-ignore lint/correctness/useExhaustiveDependencies: storage is read once for each key
  useEffect(() => {
    const storedEdits = storageKey ? readEdits(storageKey, saved.values) : null;
    if (storedEdits) {
      setDraft(storedEdits);
      setRestored(true);
    }
    isReady.current = true;
  }, [storageKey]);
  useEffect(() => {
    if (storageKey && isReady.current) storeUnsaved(storageKey, isDirty ? edits : null);
  }, [storageKey, isDirty, edits]);

  return {
    values: edits.values,
    revision: edits.revision,
    isDirty,
    /** Whether the typed values were read from storage after a reload. */
    isRestored: isRestored && isDirty,
    conflicts,
    changes: changedValues(edits),
    set: (change: Partial<Values>) => setDraft({ ...edits, values: { ...edits.values, ...change } }),
    field: formFields(edits.values, problems, (next) => setDraft({ ...edits, values: next(edits.values) })),
    /** Settles conflicts: uses the saved values, or keeps the typed ones, which the next save then writes. */
    settle(names: readonly string[], choice: "mine" | "theirs", latestSaved = saved) {
      const theirs = Object.fromEntries(
        names.map((name) => [name, latestSaved.values[name as keyof Values]]),
      ) as Partial<Values>;
      setDraft({
        ...edits,
        base: { ...edits.base, ...theirs },
        values: choice === "theirs" ? { ...edits.values, ...theirs } : edits.values,
      });
    },
    /** Discards the typed values for the saved ones. */
    reset(latestSaved = saved) {
      setDraft(unchanged(latestSaved));
      setRestored(false);
    },
    /** After a save: the form starts from its response, and keeps text typed during the call. */
    adopt(response: { revision: number; values: Values }) {
      setDraft((current) => withLaterEdits(draft.values, current, response));
      setRestored(false);
    },
    /** Sends the changes; after a refusal for a newer revision, sends them again if there is no conflict. */
    async send<Current, Body>(
      send: (revision: number) => Promise<ApiResult<Body>>,
      toSaved: (current: Current) => { revision: number; values: Values },
    ): Promise<ApiResult<Body>> {
      const response = await send(edits.revision);
      const current = response.ok ? undefined : (response.problem.current as Current | undefined);
      if (!current) return response;
      const latestSaved = toSaved(current);
      return rebase(edits, latestSaved).conflicts.length === 0 ? send(latestSaved.revision) : response;
    },
  };
}

function unchanged<Values>({ revision, values }: { revision: number; values: Values }): EditedValues<Values> {
  return { revision, base: values, values };
}

/**
 * The typed values that this browser stored under the key; null if there are none. An older version of the program may have stored
 * other fields than those of `saved`: missing fields get the saved value, and unknown ones are left out.
 */
export function readEdits<Values extends object>(
  storageKey: string,
  saved: Values,
): EditedValues<Values> | null {
  const json = readUnsaved(storageKey);
  const isStoredDraft =
    typeof json === "object" && json !== null && "base" in json && "values" in json && "revision" in json;
  if (!isStoredDraft) return null;
  const { revision, base, values } = json as EditedValues<Partial<Values>>;
  const complete = (stored: Partial<Values>) =>
    Object.fromEntries(fieldNames(saved).map((name) => [name, { ...saved, ...stored }[name]])) as Values;
  return { revision, base: complete(base), values: complete(values) };
}

/** The typed values of a saved record, with the saved values they started from (`base`). */
export type EditedValues<Values> = { revision: number; base: Values; values: Values };
/** A value that was edited here and saved differently by another person in the meantime. */
type Conflict<Values> = {
  [Name in keyof Values & string]: { name: Name; theirs: Values[Name]; mine: Values[Name] };
}[keyof Values & string];

/**
 * Merges newer saved values into the typed ones. Values not changed in this form are updated; a value changed on both sides
 * is a conflict and keeps its typed text until the conflict is settled.
 */
export function rebase<Values extends object>(
  edits: EditedValues<Values>,
  saved: { revision: number; values: Values },
): { edits: EditedValues<Values>; conflicts: Conflict<Values>[] } {
  if (saved.revision <= edits.revision) return { edits, conflicts: [] };
  const conflicts: Conflict<Values>[] = [];
  const base = { ...edits.base };
  const values = { ...edits.values };
  for (const name of fieldNames(base)) {
    const theirs = saved.values[name];
    const mine = edits.values[name];
    if (isSame(theirs, edits.base[name])) continue;
    if (!isSame(mine, edits.base[name]) && !isSame(mine, theirs)) conflicts.push({ name, theirs, mine });
    else base[name] = values[name] = theirs;
  }
  // With conflicts it keeps the old revision, so that the API refuses a save.
  return {
    edits: { revision: conflicts.length > 0 ? edits.revision : saved.revision, base, values },
    conflicts,
  };
}

/** The saved response to a form that had the values `sent`, with the edits made since. */
export function withLaterEdits<Values extends object>(
  sent: Values,
  current: EditedValues<Values>,
  response: { revision: number; values: Values },
): EditedValues<Values> {
  const laterEdits = changedValues({ ...current, base: sent });
  return { ...unchanged(response), values: { ...response.values, ...laterEdits } };
}

/** The values that differ from the saved ones. */
export function changedValues<Values extends object>({
  base,
  values,
}: EditedValues<Values>): Partial<Values> {
  const changedNames = fieldNames(base).filter((name) => !isSame(base[name], values[name]));
  return Object.fromEntries(changedNames.map((name) => [name, values[name]])) as Partial<Values>;
}

function fieldNames<Values extends object>(values: Values) {
  return Object.keys(values) as (keyof Values & string)[];
}
