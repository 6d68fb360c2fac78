import Trash2 from "lucide-react/icons/trash-2";
import { useState } from "react";
import type { Customer } from "../../../../domain/customers/customer.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { TextArea } from "../../../ui/text-area.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

type Note = Customer["notes"][number];

/** What was begun stays, also when the page is left and opened again. */
const drafts = new Map<number, string>();

/** What the panel's people write down about a customer, for themselves. */
export function CustomerNotes({ customer: { id, notes } }: { customer: Customer }) {
  const [text, setText] = useState(() => drafts.get(id) ?? "");
  const [deleting, setDeleting] = useState<Note | null>(null);
  const { busy, fields, run } = useAdminAction("POST /api/admin/customers/:id/notes", {
    failure: "The note was not saved",
  });
  const remove = useAdminAction("DELETE /api/admin/customers/:id/notes/:noteId", { failure: null });
  const write = (next: string) => {
    setText(next);
    drafts.set(id, next);
  };

  async function add() {
    if (busy || text.trim() === "") return;
    if ((await run({ params: { id: String(id) }, body: { text } })).ok) write("");
  }
  return (
    <>
      <h2 className="mb-2 font-sans text-ui font-semibold tracking-normal">Notes</h2>
      {notes.length > 0 && (
        <ul className="mb-4 grid gap-2">
          {notes.map((note) => (
            <li
              key={note.id}
              className="grid grid-cols-[1fr_auto] gap-2 rounded-sm bg-cream-soft py-2 pr-1 pl-3.5"
            >
              <p className="py-1 text-ui wrap-anywhere whitespace-pre-wrap">
                {note.text}
                <span className="mt-0.5 block text-small text-ink-muted">
                  <ShortDay iso={note.at} withTime />
                </span>
              </p>
              <IconButton label="Delete note" onClick={() => setDeleting(note)}>
                <Icon glyph={Trash2} size="small" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <form
        className="grid justify-items-start gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <TextArea
          label="New note"
          name="note"
          className="w-full [&_textarea]:min-h-20!"
          hint="Seen in this panel alone. The customer gets it with a copy of their data."
          maxLength={2000}
          readOnly={busy}
          value={text}
          error={fields.text}
          onChange={(event) => write(event.target.value)}
        />
        <Button
          type="submit"
          variant="secondary"
          size="small"
          busy={busy}
          busyText="Saving..."
          disabled={text.trim() === ""}
        >
          Add note
        </Button>
      </form>
      <ConfirmDialog
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title="Delete this note?"
        description="It cannot be brought back."
        confirmLabel="Delete note"
        busyText="Deleting..."
        busy={remove.busy}
        problem={remove.problem}
        onConfirm={async () => {
          if (deleting === null) return;
          const params = { id: String(id), noteId: String(deleting.id) };
          if ((await remove.run({ params })).ok) setDeleting(null);
        }}
      >
        {deleting && <p className="mt-4 text-ui wrap-anywhere whitespace-pre-wrap">{deleting.text}</p>}
      </ConfirmDialog>
    </>
  );
}
