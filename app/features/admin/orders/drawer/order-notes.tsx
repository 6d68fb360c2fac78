import Trash2 from "lucide-react/icons/trash-2";
import { useState } from "react";
import type { AdminOrder, OrderNote } from "../../../../../domain/orders/admin-order.ts";
import { Button, IconButton } from "../../../../ui/button.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { TextArea } from "../../../../ui/text-area.tsx";
import { ConfirmDialog } from "../../kit/confirm-dialog.tsx";
import { ShortDay } from "../../kit/short-day.tsx";
import { useAdminAction } from "../../kit/use-admin-action.ts";
import { May } from "../../may.tsx";
import { useMay } from "../../rights.ts";
import { DrawerSection } from "./drawer-section.tsx";

/** What was begun for an order stays, also when its drawer is closed and opened again. */
const drafts = new Map<string, string>();

/** What the owner writes down about an order, for the owner alone. */
export function OrderNotes({ order: { id, notes } }: { order: AdminOrder }) {
  const [text, setText] = useState(() => drafts.get(id) ?? "");
  const mayWrite = useMay("POST /api/admin/orders/:id/notes");
  const [deleting, setDeleting] = useState<OrderNote | null>(null);
  const { busy, fields, run } = useAdminAction("POST /api/admin/orders/:id/notes", {
    failure: "The note was not saved",
  });
  const write = (next: string) => {
    setText(next);
    drafts.set(id, next);
  };

  async function add() {
    if (busy || text.trim() === "") return;
    const answer = await run({ params: { id }, body: { text } });
    if (answer.ok) write("");
  }

  return (
    <DrawerSection title="Notes">
      {notes.length === 0 && !mayWrite && <p className="text-ui text-ink-muted">No notes.</p>}
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
              <May call="DELETE /api/admin/orders/:id/notes/:noteId">
                <IconButton label="Delete note" onClick={() => setDeleting(note)}>
                  <Icon glyph={Trash2} size="small" />
                </IconButton>
              </May>
            </li>
          ))}
        </ul>
      )}
      <May call="POST /api/admin/orders/:id/notes">
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
            hint="Only you see it."
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
      </May>
      <DeleteNote orderId={id} note={deleting} onClose={() => setDeleting(null)} />
    </DrawerSection>
  );
}

function DeleteNote({
  orderId,
  note,
  onClose,
}: {
  orderId: string;
  note: OrderNote | null;
  onClose: () => void;
}) {
  const { busy, problem, run } = useAdminAction("DELETE /api/admin/orders/:id/notes/:noteId", {
    failure: null,
  });
  return (
    <ConfirmDialog
      open={note !== null}
      onClose={onClose}
      title="Delete this note?"
      description="It cannot be brought back."
      confirmLabel="Delete note"
      busyText="Deleting..."
      busy={busy}
      problem={problem}
      onConfirm={async () => {
        if (note === null) return;
        const answer = await run({ params: { id: orderId, noteId: note.id } });
        if (answer.ok) onClose();
      }}
    >
      {note && <p className="mt-4 text-ui wrap-anywhere whitespace-pre-wrap">{note.text}</p>}
    </ConfirmDialog>
  );
}
