import type { Customer } from "../../../../domain/customers/customer.ts";
import { NotesEditor } from "../kit/notes-editor.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** What the panel's people write down about a customer, for themselves. */
export function CustomerNotes({ customer: { id, notes } }: { customer: Customer }) {
  const add = useAdminAction("POST /api/admin/customers/:id/notes", { failure: "The note was not saved" });
  const remove = useAdminAction("DELETE /api/admin/customers/:id/notes/:noteId", { failure: null });
  return (
    <>
      <h2 className="mb-2 font-sans text-ui font-semibold tracking-normal">Notes</h2>
      <NotesEditor
        notes={notes}
        draftKey={`customer:${id}`}
        hint="Seen in this panel alone. The customer gets it with a copy of their data."
        adding={add}
        deleting={remove}
        onAdd={async (text) => (await add.run({ params: { id: String(id) }, body: { text } })).ok}
        onDelete={async (note) =>
          (await remove.run({ params: { id: String(id), noteId: String(note.id) } })).ok
        }
      />
    </>
  );
}
