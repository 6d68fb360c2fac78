import { type ReactNode, useState } from "react";
import { refillOffer } from "../../../domain/orders/order-text.ts";
import { callApi } from "../api.ts";

type State = "unchanged" | "saved" | "failed";

/** Offers a buyer a reminder of a refill; unchecked by default. */
export function RefillBox({
  orderId,
  token = null,
  refill,
}: {
  orderId: string;
  token?: string | null;
  refill: { weeks: number; isWanted: boolean };
}) {
  const [isWanted, setWanted] = useState(refill.isWanted);
  const [state, setState] = useState<State>("unchanged");
  const choose = async (next: boolean) => {
    setWanted(next);
    const response = await callApi("PUT /api/orders/:id/refill-reminder", {
      params: { id: orderId },
      body: { isWanted: next, token },
    });
    setState(response.ok ? "saved" : "failed");
    if (!response.ok) setWanted(!next);
  };
  return (
    <OfferCheckbox
      isChecked={isWanted}
      onChange={(next) => void choose(next)}
      note={notes[state]}
      id="refill"
    >
      {refillOffer(refill.weeks)}
    </OfferCheckbox>
  );
}

const notes: Record<State, string> = {
  unchanged: "One email, and none if you’ve ordered again by then.",
  saved: "Saved. You can change it on your order’s page.",
  failed: "This could not be saved. Please try again.",
};

/**
 * Offers the newsletter to a buyer. Checking the box sends an e-mail that asks to confirm, so unchecking it needs no
 * call.
 */
export function NewsletterBox({ email, terms }: { email: string; terms: string }) {
  const [isChecked, setChecked] = useState(false);
  const [state, setState] = useState<State>("unchanged");
  const signUp = async (next: boolean) => {
    setChecked(next);
    if (!next || state === "saved") return;
    const response = await callApi("POST /api/newsletter", { body: { email, place: "success" } });
    setState(response.ok ? "saved" : "failed");
    if (!response.ok) setChecked(false);
  };
  const note =
    state === "saved"
      ? `We’ve sent a link to ${email}: press it to confirm.`
      : state === "failed"
        ? notes.failed
        : "We ask you to confirm by email first.";
  return (
    <OfferCheckbox isChecked={isChecked} onChange={(next) => void signUp(next)} note={note} id="news">
      {terms}
    </OfferCheckbox>
  );
}

function OfferCheckbox({
  id,
  isChecked,
  onChange,
  note,
  children,
}: {
  id: string;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
  note: string;
  children: ReactNode;
}) {
  return (
    <div className="noscript:hidden print:hidden">
      <label className="flex cursor-pointer items-start gap-3 py-2">
        <input
          type="checkbox"
          checked={isChecked}
          aria-describedby={`${id}-note`}
          onChange={(event) => onChange(event.target.checked)}
          className="mt-1 size-5 shrink-0 accent-forest-800"
        />
        <span>{children}</span>
      </label>
      <p id={`${id}-note`} role="status" className="-mt-2 pl-8 text-caption wrap-anywhere text-ink-muted">
        {note}
      </p>
    </div>
  );
}
