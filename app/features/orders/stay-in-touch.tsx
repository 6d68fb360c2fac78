import { type ReactNode, useState } from "react";
import { refillOffer } from "../../../domain/orders/order-text.ts";
import { callApi } from "../api.ts";

type State = "unchanged" | "saved" | "failed";

/** Offers a buyer a reminder of a refill; never ticked by default. */
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
  const choose = async (wanted: boolean) => {
    setWanted(wanted);
    const response = await callApi("PUT /api/orders/:id/refill-reminder", {
      params: { id: orderId },
      body: { isWanted: wanted, token },
    });
    setState(response.ok ? "saved" : "failed");
    if (!response.ok) setWanted(!wanted);
  };
  return (
    <Tick isTicked={isWanted} onTick={(wanted) => void choose(wanted)} note={notes[state]} id="refill">
      {refillOffer(refill.weeks)}
    </Tick>
  );
}

const notes: Record<State, string> = {
  unchanged: "One email, and none if you’ve ordered again by then.",
  saved: "Saved. You can change it on your order’s page.",
  failed: "This could not be saved. Please try again.",
};

/** Offers the newsletter to a buyer. A tick sends the e-mail that asks to confirm; removing the tick before that needs no call. */
export function NewsletterBox({ email, terms }: { email: string; terms: string }) {
  const [isTicked, setTicked] = useState(false);
  const [state, setState] = useState<State>("unchanged");
  const signUp = async (wanted: boolean) => {
    setTicked(wanted);
    if (!wanted || state === "saved") return;
    const response = await callApi("POST /api/newsletter", { body: { email, place: "success" } });
    setState(response.ok ? "saved" : "failed");
    if (!response.ok) setTicked(false);
  };
  const note =
    state === "saved"
      ? `We’ve sent a link to ${email}: press it to confirm.`
      : state === "failed"
        ? notes.failed
        : "We ask you to confirm by email first.";
  return (
    <Tick isTicked={isTicked} onTick={(wanted) => void signUp(wanted)} note={note} id="news">
      {terms}
    </Tick>
  );
}

function Tick({
  id,
  isTicked,
  onTick,
  note,
  children,
}: {
  id: string;
  isTicked: boolean;
  onTick: (isTicked: boolean) => void;
  note: string;
  children: ReactNode;
}) {
  return (
    <div className="noscript:hidden print:hidden">
      <label className="flex cursor-pointer items-start gap-3 py-2">
        <input
          type="checkbox"
          checked={isTicked}
          aria-describedby={`${id}-note`}
          onChange={(event) => onTick(event.target.checked)}
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
