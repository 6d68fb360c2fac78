import Trash2 from "lucide-react/icons/trash-2";
import { useEffect, useState } from "react";
import type { OrderNote } from "../../../../domain/orders/admin-order.ts";
import { IconButton } from "../../../ui/button.tsx";
import { TextArea } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { TextButton } from "../../../ui/text-button.tsx";
import type { ApiProblem } from "../../api.ts";
import { PanelButton } from "./action-button.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { handleSubmit } from "./form-dialog.tsx";
import { ShortDay } from "./short-day.tsx";
import { deleteUnsaved, readUnsaved, storeUnsaved } from "./unsaved.ts";

/** Longer texts are collapsed. A line break counts as `charactersPerBreak`. */
const maxCharacters = 600;
const charactersPerBreak = 40;

/** A text with its line breaks. A long text is collapsed to its first lines, with a button for the rest. */
export function LongText({ text }: { text: string }) {
  const [isExpanded, setExpanded] = useState(false);
  const size = text.length + (text.split("\n").length - 1) * charactersPerBreak;
  const isLong = size > maxCharacters;
  return (
    <>
      <p className={`wrap-anywhere whitespace-pre-wrap ${isLong && !isExpanded ? "line-clamp-6" : ""}`}>
        {text}
      </p>
      {isLong && (
        <TextButton aria-expanded={isExpanded} onClick={() => setExpanded(!isExpanded)}>
          {isExpanded ? "Show less" : "Show all"}
        </TextButton>
      )}
    </>
  );
}

/**
 * The notes of an order or a customer, with a field for a new one. `onAdd` and `onDelete` return whether they succeeded;
 * otherwise the typed text stays, or the dialog remains open.
 */
export function NotesEditor({
  notes,
  draftKey,
  hint,
  addAction,
  deleteAction,
  mayWrite = true,
  mayDelete = true,
  onAdd,
  onDelete,
}: {
  notes: readonly OrderNote[];
  draftKey: string;
  hint: string;
  addAction: { busy: boolean; fields: Record<string, string> };
  deleteAction: { busy: boolean; problem: ApiProblem | null };
  mayWrite?: boolean;
  mayDelete?: boolean;
  onAdd: (text: string) => Promise<boolean>;
  onDelete: (note: OrderNote) => Promise<boolean>;
}) {
  const [text, setText] = useState("");
  const [noteToDelete, setNoteToDelete] = useState<OrderNote | null>(null);
  const storageKey = `admin-note:${draftKey}`;
  // Read after hydration, because the server does not have the text stored in this browser.
  useEffect(() => setText(String(readUnsaved(storageKey) ?? "")), [storageKey]);
  const changeText = (next: string) => {
    setText(next);
    if (next) storeUnsaved(storageKey, next);
    else deleteUnsaved(storageKey);
  };

  async function add() {
    if (addAction.busy || text.trim() === "") return;
    if (await onAdd(text)) changeText("");
  }
  return (
    <>
      {notes.length > 0 && (
        <ul className="mb-4 grid gap-2">
          {notes.map((note) => (
            <li
              key={note.id}
              className="grid grid-cols-[1fr_auto] gap-2 rounded-sm bg-cream-soft py-2 pr-1 pl-3.5"
            >
              <div className="py-1 text-ui">
                <LongText text={note.text} />
                <p className="mt-0.5 text-small text-ink-muted">
                  <ShortDay iso={note.at} withTime />
                </p>
              </div>
              {mayDelete && (
                <IconButton label="Delete note" onClick={() => setNoteToDelete(note)}>
                  <Icon glyph={Trash2} size="small" />
                </IconButton>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayWrite && (
        <form className="grid justify-items-start gap-2" onSubmit={handleSubmit(add)}>
          <TextArea
            label="New note"
            name="note"
            className="w-full [&_textarea]:min-h-20!"
            hint={hint}
            maxLength={2000}
            readOnly={addAction.busy}
            value={text}
            error={addAction.fields.text}
            onChange={(event) => changeText(event.target.value)}
          />
          <PanelButton type="submit" busy={addAction.busy} busyText="Saving..." disabled={text.trim() === ""}>
            Add note
          </PanelButton>
        </form>
      )}
      <ConfirmDialog
        open={noteToDelete !== null}
        onClose={() => setNoteToDelete(null)}
        title="Delete this note?"
        description="It cannot be restored."
        confirmLabel="Delete note"
        busyText="Deleting..."
        form={deleteAction}
        send={async () => {
          if (noteToDelete !== null && (await onDelete(noteToDelete))) setNoteToDelete(null);
        }}
      >
        {noteToDelete && (
          <p className="mt-4 line-clamp-6 text-ui wrap-anywhere whitespace-pre-wrap">{noteToDelete.text}</p>
        )}
      </ConfirmDialog>
    </>
  );
}
