import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import { NotesEditor } from "../../kit/notes-editor.tsx";
import { useAdminAction } from "../../kit/use-admin-action.ts";
import { useMay } from "../../rights.ts";
import { DrawerSection } from "./drawer-section.tsx";

/** What the owner writes down about an order, for the owner alone. */
export function OrderNotes({ order: { id, notes } }: { order: AdminOrder }) {
  const mayWrite = useMay("POST /api/admin/orders/:id/notes");
  const mayDelete = useMay("DELETE /api/admin/orders/:id/notes/:noteId");
  const add = useAdminAction("POST /api/admin/orders/:id/notes", { failure: "The note was not saved" });
  const remove = useAdminAction("DELETE /api/admin/orders/:id/notes/:noteId", { failure: null });
  return (
    <DrawerSection title="Notes">
      {notes.length === 0 && !mayWrite && <p className="text-ui text-ink-muted">No notes.</p>}
      <NotesEditor
        notes={notes}
        draftKey={`order:${id}`}
        hint="Only you see it."
        adding={add}
        deleting={remove}
        mayWrite={mayWrite}
        mayDelete={mayDelete}
        onAdd={async (text) => (await add.run({ params: { id }, body: { text } })).ok}
        onDelete={async (note) => (await remove.run({ params: { id, noteId: note.id } })).ok}
      />
    </DrawerSection>
  );
}
