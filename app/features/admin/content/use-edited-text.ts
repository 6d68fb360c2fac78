import { useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { toast } from "../../../ui/toast.tsx";
import { formFields } from "../../../ui/use-form.ts";
import type { ApiResult } from "../../api.ts";
import type { AdminAction } from "../kit/use-admin-action.ts";

type SavedRevision = { id: number; at: string; by: string };

export type SavedText<T> = {
  /** Sent with each save, so that the server can detect conflicting edits. */
  revision: number | null;
  text: T;
  published: SavedRevision | null;
  draft: (SavedRevision & { text: T }) | null;
  /** The default text, called the standard text in the panel. */
  shipped: T;
  isShippedNewer: boolean;
};

type Call<T> = Pick<AdminAction<"GET /api/admin/content">, "busy" | "problem" | "fields" | "clearProblem"> & {
  run(body: { revision: number | null; text: T | null }): Promise<ApiResult<{ data: SavedText<T> }>>;
};

/** State of a text being edited: its draft, its publication and conflicts with changes by others. */
export function useEditedText<T extends object>({
  saved,
  name,
  draft,
  publication,
  isSame,
  publishEffect,
}: {
  saved: SavedText<T>;
  name: string;
  draft: Call<T>;
  publication: Call<T>;
  isSame(a: T, b: T): boolean;
  /** Effect of publishing, for the toast, such as "Shoppers read it from now on." */
  publishEffect: string;
}) {
  const latestText = saved.draft?.text ?? saved.text;
  const [editedText, setEditedText] = useState(latestText);
  /** The saved revision on which the edited text is based. */
  const [base, setBase] = useState({ revision: saved.revision, text: latestText });
  const [openDialog, setOpenDialog] = useState<"publish" | "discard" | "standard" | null>(null);
  const [hasTriedToPublish, setHasTriedToPublish] = useState(false);
  const alert = useRef<HTMLDivElement>(null);
  const { revalidate } = useRevalidator();

  const isDirty = !isSame(editedText, base.text);
  /** The text that the page had loaded before the last save. While the page still has it, `base` is newer. */
  const replacedText = useRef<SavedText<T>>(null);
  const latestSaved = useRef(saved);
  useEffect(() => {
    latestSaved.current = saved;
  });
  const isOutdated =
    saved.revision !== base.revision && saved !== replacedText.current && !draft.busy && !publication.busy;
  // Without unsaved edits, the form shows the version that others have saved.
  if (isOutdated && (!isDirty || isSame(editedText, latestText))) adoptSaved(saved, true);
  const isInConflict = isOutdated && isDirty && !isSame(editedText, latestText);
  const failure = publication.problem ?? draft.problem;

  useEffect(() => {
    if (isInConflict || failure) alert.current?.focus();
  }, [isInConflict, failure]);

  function adoptSaved(current: SavedText<T>, withText: boolean): void {
    const text = current.draft?.text ?? current.text;
    if (current !== saved) replacedText.current = latestSaved.current;
    setBase({ revision: current.revision, text });
    if (withText) setEditedText(text);
  }

  async function saveDraft(text: T | null): Promise<void> {
    publication.clearProblem();
    const response = await draft.run({ revision: base.revision, text });
    if (response.ok) {
      // Text typed during the save is kept.
      adoptSaved(response.body.data, text === null);
      toast({ title: text === null ? "Draft discarded" : "Draft saved" });
    } else if (response.problem.status === 409) await revalidate();
  }

  async function publish(text: T | null): Promise<void> {
    draft.clearProblem();
    setHasTriedToPublish(true);
    const previousText = saved.published ? saved.text : null;
    const response = await publication.run({ revision: base.revision, text });
    setOpenDialog(null);
    if (!response.ok) {
      if (response.problem.status === 409) await revalidate();
      return;
    }
    const { data } = response.body;
    adoptSaved(data, text === null);
    setHasTriedToPublish(false);
    toast({
      title: text === null ? "The standard text is back" : `${name} published`,
      description: publishEffect,
      durationMs: 10_000,
      action: { label: "Undo", run: () => void undo(data.revision, previousText, data.text) },
    });
  }

  async function undo(revision: number | null, text: T | null, published: T): Promise<void> {
    const response = await publication.run({ revision, text });
    if (!response.ok) return;
    const { data } = response.body;
    adoptSaved(data, false);
    setEditedText((current) => (isSame(current, published) ? data.text : current));
    toast({ title: "Undone", description: "The earlier text is back." });
  }

  function set(text: T): void {
    publication.clearProblem();
    draft.clearProblem();
    setEditedText(text);
  }

  return {
    latestText,
    editedText,
    isDirty,
    isInConflict,
    hasUnpublishedText: saved.draft !== null || !isSame(editedText, saved.text),
    busy: draft.busy || publication.busy,
    isPublishing: publication.busy,
    isSavingDraft: draft.busy,
    failure,
    /** Problems by field from the server's last response. */
    fields: { ...publication.fields, ...draft.fields },
    hasTriedToPublish,
    openDialog,
    alert,
    setOpenDialog,
    setHasTriedToPublish,
    adoptSaved,
    saveDraft,
    publish,
    set,
    /** Props of the form's fields; `errors`: messages by path. */
    fieldsWith: (errors: Record<string, string>) =>
      formFields(editedText, errors, (next) => set(next(editedText))),
  };
}

export type EditedText<T extends object> = ReturnType<typeof useEditedText<T>>;
