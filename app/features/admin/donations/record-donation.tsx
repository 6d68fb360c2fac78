import HandHeart from "lucide-react/icons/hand-heart";
import { useState } from "react";
import { useRevalidator } from "react-router";
import { donationNoteMax, type Sending } from "../../../../domain/sales/donation.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { FormDialog } from "../kit/form-dialog.tsx";
import { MoneyField } from "../kit/money-field.tsx";
import { NoteField } from "../kit/note-field.tsx";
import { randomUuid } from "../kit/random-uuid.ts";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { May } from "../may.tsx";
import { dayWords } from "../overview/period-words.ts";

type RecordDonationProps = {
  sending: Sending;
  /** The date at the owner's: none later can be chosen. */
  today: string;
};

/** The way to write down what was sent. It moves no money. */
export function RecordDonation({
  variant,
  ...props
}: RecordDonationProps & { variant?: "primary" | "on-dark" }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <May call="POST /api/admin/donations">
      <Button size="small" variant={variant} onClick={() => setOpen(true)}>
        <Icon glyph={HandHeart} size="small" /> Record a donation
      </Button>
      {isOpen && <RecordDialog {...props} onClose={() => setOpen(false)} />}
    </May>
  );
}

/** Stays open, with all that was typed, until the donation is written down. */
function RecordDialog({ sending, today, onClose }: RecordDonationProps & { onClose: () => void }) {
  // The same for every try, so that it is written down once.
  const [id] = useState(randomUuid);
  const [amountCents, setAmount] = useState<number | null>(null);
  const [sentOn, setSentOn] = useState(today);
  const [note, setNote] = useState("");
  const action = useAdminAction("POST /api/admin/donations", { failure: null });
  const { fields } = action;
  const { revalidate } = useRevalidator();
  const aheadCents = Math.max(0, (amountCents ?? 0) - sending.toSendCents) || 0;
  const isComplete = amountCents !== null && amountCents > 0 && sentOn !== "";

  async function save() {
    if (!isComplete) return;
    const answer = await action.run({
      body: { id, amountCents, sentOn, note },
      success: {
        title: "Donation recorded",
        description: `${formatCents(amountCents)}, sent on ${dayWords(sentOn, true)}.`,
      },
    });
    if (answer.ok) onClose();
    // An earlier try has arrived after all: the list behind this dialog shows what it said.
    else if (answer.problem.error === "invalid_state") await revalidate();
  }

  return (
    <FormDialog
      id="record-donation"
      title="Record a donation"
      description="For your own record of what you have sent. No money moves by it, and no shopper sees it."
      action={action}
      submitLabel={
        aheadCents > 0 && amountCents !== null
          ? `Record ${formatCents(amountCents)} all the same`
          : "Record donation"
      }
      busyText="Recording..."
      failure="The donation was not recorded."
      isReady={isComplete}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <MoneyField
          label="Amount (USD)"
          name="amountCents"
          value={amountCents}
          hint={
            aheadCents > 0 ? (
              <span className="font-medium text-warning">
                That is {formatCents(aheadCents)} more than is still to send (
                {formatCents(sending.toSendCents)}). Please check it.
              </span>
            ) : (
              `Still to send: ${formatCents(sending.toSendCents)}`
            )
          }
          error={fields.amountCents}
          onChange={setAmount}
        />
        <Field
          label="Day sent"
          name="sentOn"
          type="date"
          max={today}
          value={sentOn}
          error={fields.sentOn}
          onChange={(event) => setSentOn(event.target.value)}
        />
      </div>
      <NoteField
        maxLength={donationNoteMax}
        value={note}
        hint="To whom, or the number of the receipt. Leave customers’ names out."
        error={fields.note}
        onChange={setNote}
      />
    </FormDialog>
  );
}
