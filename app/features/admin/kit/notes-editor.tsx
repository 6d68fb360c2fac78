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

/** Longer texts are folded; a line break counts as many characters. */
const foldedFrom = { characters: 600, perLineBreak: 40 };

/** A text with its line breaks. A long one is folded to its first lines, with a button for the rest. */
export function LongText({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  const size = text.length + (text.split("\n").length - 1) * foldedFrom.perLineBreak;
  const isLong = size > foldedFrom.characters;
  return (
    <>
      <p className={`wrap-anywhere whitespace-pre-wrap ${isLong && !isWhole ? "line-clamp-6" : ""}`}>
        {text}
      </p>
      {isLong && (
        <TextButton aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show less" : "Show all"}
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
  adding,
  deleting,
  mayWrite = true,
  mayDelete = true,
  onAdd,
  onDelete,
}: {
  notes: readonly OrderNote[];
  draftKey: string;
  hint: string;
  adding: { busy: boolean; fields: Record<string, string> };
  deleting: { busy: boolean; problem: ApiProblem | null };
  mayWrite?: boolean;
  mayDelete?: boolean;
  onAdd: (text: string) => Promise<boolean>;
  onDelete: (note: OrderNote) => Promise<boolean>;
}) {
  const [text, setText] = useState("");
  const [noteToDelete, setNoteToDelete] = useState<OrderNote | null>(null);
  const storageKey = `admin-note:${draftKey}`;
  // After hydration: the server has no access to what was typed.
  useEffect(() => setText(String(readUnsaved(storageKey) ?? "")), [storageKey]);
  const changeText = (next: string) => {
    setText(next);
    if (next) storeUnsaved(storageKey, next);
    else deleteUnsaved(storageKey);
  };

  async function add() {
    if (adding.busy || text.trim() === "") return;
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
            readOnly={adding.busy}
            value={text}
            error={adding.fields.text}
            onChange={(event) => changeText(event.target.value)}
          />
          <PanelButton type="submit" busy={adding.busy} busyText="Saving..." disabled={text.trim() === ""}>
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
        form={deleting}
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
