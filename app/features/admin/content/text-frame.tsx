import type { ReactNode } from "react";
import { Banner } from "../../../ui/error-banner.tsx";
import type { ApiResult } from "../../api.ts";
import { PanelButton } from "../kit/action-button.tsx";
import { AdminPage } from "../kit/admin-page.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { ActionBar, LeaveGuard } from "../kit/saved-form/save-bar.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { useMayCall } from "../rights.ts";
import { ContentHistory, type Versions } from "./content-history.tsx";
import { DifferenceView } from "./difference-view.tsx";
import type { EditedText, SavedText } from "./use-edited-text.ts";

/** Page around the fields of an edited text, with its author, conflicts, updates, save bar and history. */
export function TextFrame<T extends object>({
  name,
  saved,
  versions,
  loadOlder,
  editor,
  problems,
  warnings,
  lead,
  stateTexts,
  toPlainText,
  back,
  actions,
  children,
}: {
  name: string;
  saved: SavedText<T>;
  versions: Versions<T>;
  /** Loads the versions before the ones in `versions`. */
  loadOlder(cursor: number): Promise<ApiResult<Versions<T>>>;
  editor: EditedText<T>;
  /** Problems by field, which prevent publishing. */
  problems: Record<string, string>;
  warnings: readonly string[];
  /** Sentence shown before the text's state. */
  lead?: string;
  /** Sentences on the text's state, and in the dialogs that publish or replace it. */
  stateTexts: Record<
    "standardInUse" | "draftUnpublished" | "publishEffect" | "discardEffect" | "historyEmpty",
    string
  >;
  /** All fields as one plain text, for comparisons. */
  toPlainText(text: T): string;
  /** Link back to the list, if the text belongs to one. */
  back?: { to: string; label: string };
  actions?: ReactNode;
  children: ReactNode;
}) {
  const { editedText, isDirty, isInConflict, hasUnpublishedText, busy, failure, openDialog, setOpenDialog } =
    editor;
  // Publishing a page, an e-mail or the menu needs the same right.
  const mayPublish = useMayCall("POST /api/admin/content/:key/publish");

  function confirmOrPublish(): void {
    editor.setHasTriedToPublish(true);
    const [invalidField] = Object.keys(problems);
    if (invalidField) document.getElementById(invalidField)?.focus();
    else if (warnings.length > 0) setOpenDialog("publish");
    else void editor.publish(editedText);
  }

  return (
    <AdminPage title={name} {...(back && { back })} actions={actions}>
      <p className="mb-5 max-w-text text-small text-ink-muted">
        {lead}{" "}
        {saved.published ? (
          <>
            Published by {saved.published.by}, <ShortDay iso={saved.published.at} withTime />.
          </>
        ) : (
          stateTexts.standardInUse
        )}{" "}
        {saved.draft && (
          <>
            Below is a draft by {saved.draft.by}, <ShortDay iso={saved.draft.at} withTime />:{" "}
            {stateTexts.draftUnpublished}
          </>
        )}
      </p>
      {isInConflict && (
        <Banner
          ref={editor.alert}
          tabIndex={-1}
          tone="warning"
          role="alert"
          className="mb-5"
          title="Changed in the meantime, in another window or by somebody else."
        >
          Nothing was saved, and your text is not lost. These are the changes that your text would make to
          theirs:
          <div className="mt-3 grid gap-3">
            <DifferenceView before={toPlainText(editor.latestText)} after={toPlainText(editedText)} />
            <div className="flex flex-wrap gap-2">
              <PanelButton onClick={() => editor.adoptSaved(saved, true)}>Use theirs</PanelButton>
              <PanelButton onClick={() => editor.adoptSaved(saved, false)}>
                Keep mine and continue
              </PanelButton>
            </div>
          </div>
        </Banner>
      )}
      {failure && failure.status !== 409 && (
        <Banner ref={editor.alert} tabIndex={-1} className="mb-5" title="Nothing was saved.">
          {failure.message}
        </Banner>
      )}
      {saved.isShippedNewer && (
        <Banner tone="info" className="mb-5" title="An update has a new standard text.">
          Your text stays until you change it. These are the changes that the new standard text would make:
          <div className="mt-3 grid justify-items-start gap-3 *:w-full">
            <DifferenceView before={toPlainText(saved.text)} after={toPlainText(saved.shipped)} />
            {!hasUnpublishedText && mayPublish && (
              <div className="flex flex-wrap gap-2">
                <PanelButton disabled={busy} onClick={() => setOpenDialog("standard")}>
                  Use the new one
                </PanelButton>
                <PanelButton disabled={busy} onClick={() => void editor.publish(saved.text)}>
                  Keep mine
                </PanelButton>
              </div>
            )}
          </div>
        </Banner>
      )}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (busy || isInConflict) return;
          if (mayPublish && hasUnpublishedText) confirmOrPublish();
          if (!mayPublish && isDirty) void editor.saveDraft(editedText);
        }}
      >
        {children}
        {warnings.length > 0 && (
          <Banner tone="warning" className="mt-6" title="Before you publish">
            <Warnings warnings={warnings} />
          </Banner>
        )}
        <ActionBar isInUse={isDirty}>
          <span className="mr-auto text-small text-ink-muted max-sm:sr-only" role="status">
            {isDirty ? "Unsaved changes" : saved.draft ? "Draft saved, not published" : "No changes"}
          </span>
          {!mayPublish && <span className="text-small text-ink-muted">The owner publishes it.</span>}
          {(isDirty || saved.draft) && (
            <PanelButton variant="quiet" disabled={busy} onClick={() => setOpenDialog("discard")}>
              Discard
            </PanelButton>
          )}
          <PanelButton
            busy={editor.isSavingDraft}
            busyText="Saving..."
            disabled={!isDirty || busy || isInConflict}
            onClick={() => void editor.saveDraft(editedText)}
          >
            Save draft
          </PanelButton>
          {mayPublish && (
            <PanelButton
              variant="primary"
              type="submit"
              busy={editor.isPublishing}
              busyText="Publishing..."
              disabled={!hasUnpublishedText || isInConflict || editor.isSavingDraft}
            >
              Publish
            </PanelButton>
          )}
        </ActionBar>
      </form>
      <LeaveGuard isDirty={isDirty} />
      <ContentHistory
        versions={versions}
        loadOlder={loadOlder}
        editedText={editedText}
        standardText={saved.shipped}
        toPlainText={toPlainText}
        emptyText={stateTexts.historyEmpty}
        onRestore={editor.set}
      />
      {saved.published && !isDirty && mayPublish && (
        <PanelButton
          variant="quiet"
          className="mt-4 -ml-3"
          disabled={busy || isInConflict}
          onClick={() => setOpenDialog("standard")}
        >
          Go back to the standard text
        </PanelButton>
      )}
      <ConfirmDialog
        open={openDialog === "publish"}
        onClose={() => setOpenDialog(null)}
        title={`Publish “${name}”?`}
        description={stateTexts.publishEffect}
        confirmLabel="Publish anyway"
        busyText="Publishing..."
        form={{ busy: editor.isPublishing, problem: null }}
        danger={false}
        send={() => void editor.publish(editedText)}
      >
        <Warnings warnings={warnings} />
      </ConfirmDialog>
      <ConfirmDialog
        open={openDialog === "discard"}
        onClose={() => setOpenDialog(null)}
        title="Discard your changes?"
        description={stateTexts.discardEffect}
        confirmLabel="Discard"
        busyText="Discarding..."
        form={{ busy: editor.isSavingDraft, problem: null }}
        send={async () => {
          if (saved.draft) await editor.saveDraft(null);
          else editor.adoptSaved(saved, true);
          setOpenDialog(null);
        }}
      />
      <ConfirmDialog
        open={openDialog === "standard"}
        onClose={() => setOpenDialog(null)}
        title="Go back to the standard text?"
        description={`Your text of “${name}” stays in the history${saved.draft ? "; its draft is discarded" : ""}.`}
        confirmLabel="Use the standard text"
        busyText="Publishing..."
        form={{ busy: editor.isPublishing, problem: null }}
        danger={false}
        send={() => void editor.publish(null)}
      />
    </AdminPage>
  );
}

function Warnings({ warnings }: { warnings: readonly string[] }) {
  return (
    <ul className="mt-2 grid list-disc gap-1 pl-5 text-small wrap-anywhere">
      {warnings.map((warning) => (
        <li key={warning}>{warning}</li>
      ))}
    </ul>
  );
}
