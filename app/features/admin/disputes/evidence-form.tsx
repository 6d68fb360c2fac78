import { useEffect, useRef, useState } from "react";
import type { DisputeReason } from "../../../../domain/disputes/dispute-reasons.ts";
import {
  type DisputePage,
  type Evidence,
  type EvidenceText,
  evidenceTextNames,
  evidenceTexts,
} from "../../../../domain/disputes/evidence.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Disclosure } from "../../../ui/disclosure.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { Field, TextArea } from "../../../ui/field.tsx";
import { DialogButton } from "../kit/action-button.tsx";
import { ConfirmCall, ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { focusInvalid, handleSubmit } from "../kit/form-dialog.tsx";
import { ConflictPanel } from "../kit/saved-form/conflict-panel.tsx";
import { SaveBar } from "../kit/saved-form/save-bar.tsx";
import { useSavedForm } from "../kit/saved-form/use-saved-form.ts";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { May } from "../rights.ts";
import { EvidenceFiles } from "./evidence-files.tsx";

const hints: Partial<Record<EvidenceText, string>> = {
  billingAddress: "Only if you know it: the shop asks only for the shipping address.",
  customerPurchaseIp: "The shop deletes it once an order is paid.",
  uncategorizedText:
    "Tell the story in order, for a reader who knows nothing about it. Keep to what you can prove.",
};

const savedTexts = ({ revision, texts }: Evidence) => ({ revision, values: texts });

/** The draft of the evidence: the fields that matter most for the dispute's reason, the others collapsed. */
export function EvidenceForm({
  page,
  evidence,
  reason,
}: {
  page: DisputePage;
  evidence: Evidence;
  reason: DisputeReason;
}) {
  const { id } = page.dispute;
  const [isSending, setSending] = useState(false);
  const formElement = useRef<HTMLFormElement>(null);
  const conflictPanel = useRef<HTMLDivElement>(null);
  const saving = useAdminAction("PUT /api/admin/disputes/:id/evidence", { failure: null });
  const form = useSavedForm(savedTexts(evidence), {
    problems: Object.fromEntries(
      evidenceTextNames.map((name) => [name, saving.fields[`texts.${name}`] ?? ""]),
    ),
    storageKey: `admin-dispute-${id}`,
  });
  const hasConflict = form.conflicts.length > 0;
  useEffect(() => {
    if (hasConflict) conflictPanel.current?.focus();
  }, [hasConflict]);

  /** Returns whether the draft is saved. */
  async function save(): Promise<boolean> {
    if (hasConflict) {
      conflictPanel.current?.focus();
      return false;
    }
    if (!form.isDirty) return true;
    const { values: texts, revision } = form;
    const response = await saving.run({
      params: { id },
      body: { texts, revision },
      success: { title: "Draft saved" },
    });
    if (response.ok && response.body.data.evidence) form.adopt(savedTexts(response.body.data.evidence));
    else focusInvalid(formElement.current);
    return response.ok;
  }

  const otherNames = evidenceTextNames.filter((name) => !reason.texts.includes(name));
  const filledCount = otherNames.filter((name) => form.values[name] !== "").length;
  const control = (name: EvidenceText) => {
    const { label, max } = evidenceTexts[name];
    const sharedProps = {
      ...form.field(name),
      label,
      maxLength: max,
      hint: hints[name],
    };
    return max > 500 ? (
      <TextArea
        key={name}
        {...sharedProps}
        className={`sm:col-span-2 ${name === "uncategorizedText" ? "[&_textarea]:min-h-56!" : "[&_textarea]:min-h-24!"}`}
      />
    ) : (
      <Field key={name} {...sharedProps} className={max >= 500 ? "sm:col-span-2" : ""} autoComplete="off" />
    );
  };

  return (
    <>
      <form ref={formElement} noValidate className="stack gap-4" onSubmit={handleSubmit(save)}>
        <ConflictPanel
          ref={conflictPanel}
          conflicts={form.conflicts.map((conflict) => ({
            ...conflict,
            label: evidenceTexts[conflict.name].label,
          }))}
          onSettle={(name, choice) => form.settle([name], choice)}
        />
        {evidence.failure && (
          <Banner title="The evidence was not sent.">{evidence.failure} The draft is still here.</Banner>
        )}
        <Card className="stack gap-4 p-5 sm:grid-cols-2">
          <div className="sm:col-span-2">
            <h2 className="card-title">What you tell the bank</h2>
            <p className="text-small text-ink-muted">
              Written from the order. Read it, correct it, and leave empty what does not matter.
            </p>
          </div>
          {reason.texts.map(control)}
          <div className="sm:col-span-2">
            <Disclosure
              title={filledCount === 0 ? "More details" : `More details (${filledCount} filled in)`}
              isOpen={otherNames.some((name) => saving.fields[`texts.${name}`])}
            >
              <div className="grid gap-4 text-ink sm:grid-cols-2">{otherNames.map(control)}</div>
            </Disclosure>
          </div>
        </Card>
        {saving.generalProblem && !hasConflict && (
          <Banner title="The draft was not saved.">
            {saving.generalProblem.message} What you typed is still here.
          </Banner>
        )}
        <Card className="p-5">
          <EvidenceFiles disputeId={id} evidence={evidence} reason={reason} isEditable />
        </Card>
        <div className="flex flex-wrap items-center gap-3 max-sm:grid">
          <May call="POST /api/admin/disputes/:id/send">
            <Button
              size="small"
              busy={saving.busy}
              busyText="Saving..."
              onClick={async () => {
                if (await save()) setSending(true);
              }}
            >
              Send to the bank
            </Button>
          </May>
          <StartOver
            id={id}
            revision={form.revision}
            onDone={(newDraft) => form.reset(savedTexts(newDraft))}
          />
        </div>
        <SaveBar
          isDirty={form.isDirty}
          busy={saving.busy}
          onDiscard={() => form.reset()}
          saveLabel="Save draft"
        />
      </form>
      {isSending && <SendEvidence page={page} evidence={evidence} onClose={() => setSending(false)} />}
    </>
  );
}

/** Discards the draft and makes a new one from the order. */
function StartOver({
  id,
  revision,
  onDone,
}: {
  id: string;
  revision: number;
  onDone: (newDraft: Evidence) => void;
}) {
  const discard = useAdminAction("DELETE /api/admin/disputes/:id/evidence", { failure: null });
  const draft = useAdminAction("POST /api/admin/disputes/:id/evidence", {
    success: { title: "Drafted again from the order" },
  });
  const busy = discard.busy || draft.busy;
  async function draftAgain(onClose: () => void) {
    if (!(await discard.run({ params: { id }, body: { revision } })).ok) return;
    const response = await draft.run({ params: { id } });
    if (response.ok && response.body.data.evidence) onDone(response.body.data.evidence);
    onClose();
  }
  return (
    <DialogButton
      variant="quiet"
      disabled={busy}
      dialog={(onClose) => (
        <ConfirmDialog
          title="Draft it again from the order?"
          description="Your text and the files you added are deleted."
          confirmLabel="Draft again"
          busyText="Drafting..."
          form={{ busy, problem: discard.problem }}
          onClose={onClose}
          send={() => void draftAgain(onClose)}
        />
      )}
    >
      Draft again from the order
    </DialogButton>
  );
}

/** The confirmation before the evidence is sent. */
function SendEvidence({
  page,
  evidence,
  onClose,
}: {
  page: DisputePage;
  evidence: Evidence;
  onClose: () => void;
}) {
  const { dispute, order, customerName } = page;
  const textCount = evidenceTextNames.filter((name) => evidence.texts[name] !== "").length;
  const fileCount = evidence.files.length;
  return (
    <ConfirmCall
      onClose={onClose}
      danger={false}
      title="Send this to the bank?"
      description={`It can be sent only once, and not changed afterwards. Order #${order.number}${customerName && `, ${customerName}`}: ${formatCents(dispute.amount)}.`}
      confirmLabel="Send it"
      keepLabel="Not yet"
      busyText="Sending..."
      call="POST /api/admin/disputes/:id/send"
      success={({ data }) =>
        data.evidence?.status === "sent"
          ? {
              title: "Sent to the bank",
              description: "It decides within some weeks. You are notified of the outcome.",
            }
          : {
              title: "On its way to the bank",
              description: "Stripe has not confirmed it yet; the shop retries.",
            }
      }
      send={(run) =>
        run({ params: { id: dispute.id }, body: { revision: evidence.revision }, timeoutMs: 60_000 })
      }
    >
      <p className="mt-3 text-ui">
        {textCount} {textCount === 1 ? "text" : "texts"} and {fileCount} {fileCount === 1 ? "file" : "files"}{" "}
        go to {dispute.isInquiry ? "the bank, which so far is only asking" : "the bank"}. Read them once more
        before you send them.
      </p>
    </ConfirmCall>
  );
}
