import Pencil from "lucide-react/icons/pencil";
import Plus from "lucide-react/icons/plus";
import Trash2 from "lucide-react/icons/trash-2";
import { useState } from "react";
import { replyPlaceholders, type SavedReply } from "../../../../domain/contact/saved-reply.ts";
import { IconButton } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { Field, TextArea } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { useForm } from "../../../ui/use-form.ts";
import { callApi } from "../../api.ts";
import { useApiResult } from "../../use-api-result.ts";
import { PanelButton } from "../kit/action-button.tsx";
import { ConfirmCall } from "../kit/confirm-dialog.tsx";
import { FormDialog } from "../kit/form-dialog.tsx";
import { Loading } from "../kit/loading.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { withUnlock } from "../shell/session-dialogs.tsx";

type EditedReply = Pick<SavedReply, "title" | "text"> & { reply: SavedReply | null };

/** Saved answers to insert, add, edit and delete. `draft`: the current text of the answer's field. */
export function SavedReplies({
  draft,
  onChoose,
  onClose,
}: {
  draft: string;
  onChoose: (text: string) => void;
  onClose: () => void;
}) {
  const { body, problem, reload } = useApiResult("all", () =>
    withUnlock(() => callApi("GET /api/admin/saved-replies")),
  );
  const replies = body?.data;
  const [replyToEdit, setReplyToEdit] = useState<EditedReply | null>(null);
  const [replyToDelete, setReplyToDelete] = useState<SavedReply | null>(null);
  return (
    <>
      <Dialog
        open={replyToEdit === null && replyToDelete === null}
        onClose={onClose}
        title="Saved replies"
        description={replies?.length ? "Choose one to insert it into your answer." : undefined}
        actions={
          <PanelButton onClick={() => setReplyToEdit({ reply: null, title: "", text: draft.trim() })}>
            <Icon glyph={Plus} size="small" /> {draft.trim() ? "Save what you wrote" : "New reply"}
          </PanelButton>
        }
      >
        {problem && (
          <Banner className="mt-4" title="The replies could not be loaded.">
            {problem.message}
          </Banner>
        )}
        {replies?.length === 0 && (
          <p className="mt-4 text-ui text-ink-muted">
            None yet. Write an answer once, save it under a name, and insert it into any later answer with one
            press.
          </p>
        )}
        {!replies && !problem && <Loading className="mt-4 h-31" />}
        <ul className="mt-4 divide-y divide-line">
          {replies?.map((reply) => (
            <li key={reply.id} className="flex items-center gap-1">
              <button
                type="button"
                className="grid min-h-14 min-w-0 flex-1 gap-0.5 rounded-sm px-2 py-2 text-left hover:bg-cream-soft"
                onClick={() => onChoose(reply.text)}
              >
                <span className="text-ui font-medium wrap-anywhere">{reply.title}</span>
                <span className="truncate text-small text-ink-muted">{reply.text}</span>
              </button>
              <IconButton
                label={`Change ${reply.title}`}
                onClick={() => setReplyToEdit({ reply, title: reply.title, text: reply.text })}
              >
                <Icon glyph={Pencil} size="small" />
              </IconButton>
              <IconButton label={`Delete ${reply.title}`} onClick={() => setReplyToDelete(reply)}>
                <Icon glyph={Trash2} size="small" />
              </IconButton>
            </li>
          ))}
        </ul>
      </Dialog>
      {replyToEdit && (
        <EditReply replyToEdit={replyToEdit} onSaved={reload} onClose={() => setReplyToEdit(null)} />
      )}
      {replyToDelete && (
        <ConfirmCall
          call="DELETE /api/admin/saved-replies/:id"
          title={`Delete “${replyToDelete.title}”?`}
          description="Answers that were sent with it stay as they are."
          confirmLabel="Delete reply"
          busyText="Deleting..."
          send={(run) => run({ params: { id: String(replyToDelete.id) } })}
          onDone={reload}
          onClose={() => setReplyToDelete(null)}
        />
      )}
    </>
  );
}

function EditReply({
  replyToEdit: { reply, title, text },
  onSaved,
  onClose,
}: {
  replyToEdit: EditedReply;
  onSaved: () => Promise<void>;
  onClose: () => void;
}) {
  const success = { title: "Reply saved" };
  const add = useAdminAction("POST /api/admin/saved-replies", { success, failure: null });
  const change = useAdminAction("PUT /api/admin/saved-replies/:id", { success, failure: null });
  const action = reply ? change : add;
  const form = { ...action, ...useForm({ title, text }, { problems: action.fields }) };
  async function save() {
    const { values } = form;
    const response = reply
      ? await change.run({
          params: { id: String(reply.id) },
          body: { ...values, revision: reply.revision },
        })
      : await add.run({ body: values });
    if (response.ok) await onSaved();
    return response;
  }
  return (
    <FormDialog
      title={reply ? "Change the saved reply" : "New saved reply"}
      description={`${replyPlaceholders.join(" and ")} are filled in when you use it.`}
      form={form}
      submitLabel="Save reply"
      failure="The reply was not saved."
      isReady={form.values.title.trim() !== "" && form.values.text.trim() !== ""}
      send={save}
      onClose={onClose}
    >
      <Field
        {...form.field("title")}
        label="Name"
        name="reply-title"
        autoComplete="off"
        hint="A name to find it by, such as “Where is my parcel”"
        maxLength={80}
      />
      <TextArea {...form.field("text")} label="Answer" name="reply-text" rows={7} maxLength={5000} />
    </FormDialog>
  );
}
