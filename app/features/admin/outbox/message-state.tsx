import type { OutboxEntry } from "../../../../domain/outbox/outbox.ts";
import { Badge } from "../../../ui/badge.tsx";

type State = Pick<OutboxEntry, "status" | "delivery" | "attempts">;

/** Badge for the delivery state of an e-mail or text. */
export function MessageStateBadge({ state }: { state: State }) {
  const { tone, word } = messageBadge(state);
  return <Badge tone={tone}>{word}</Badge>;
}

/** The state in a list. Usual states are plain text; "kept" is one, because without a mail server every e-mail is kept. */
export function MessageStateCell({ state }: { state: State }) {
  const { word } = messageBadge(state);
  const isUsual = state.delivery !== "undelivered" && ["sent", "kept"].includes(state.status);
  return isUsual ? <span className="text-ink-muted">{word}</span> : <MessageStateBadge state={state} />;
}

/** Why a message was not sent, without repeating its state. */
export const unsentReason = (problem: string) => problem.replace(/^Not sent: /, "");

/** A sentence beside the badge; empty if there is nothing to add. */
export function stateSentence({ status, delivery, attempts }: State): string {
  switch (status) {
    case "queued":
      return attempts > 0 ? "Could not be sent yet, and is retried automatically." : "Waiting to be sent.";
    case "sent":
      return delivery === null ? "The mail server accepted it." : deliverySentences[delivery];
    case "kept":
      return "Stored here and in the mail folder, but not sent: the mail server or your email address is missing.";
    case "failed":
      return "Sending failed permanently.";
    case "skipped":
      return "";
  }
}

const deliverySentences = {
  accepted: "Twilio accepted it; whether it arrived is not known yet.",
  delivered: "It arrived on the phone.",
  undelivered: "It did not arrive.",
};

function messageBadge({ status, delivery, attempts }: State): {
  tone: "green" | "yellow" | "blue" | "red" | "cream";
  word: string;
} {
  if (delivery === "delivered") return { tone: "green", word: "Delivered" };
  if (delivery === "undelivered") return { tone: "red", word: "Not delivered" };
  switch (status) {
    case "queued":
      return { tone: "yellow", word: attempts > 0 ? "Trying again" : "Waiting" };
    case "sent":
      return { tone: "green", word: "Sent" };
    case "kept":
      return { tone: "blue", word: "Kept, not sent" };
    case "failed":
      return { tone: "red", word: "Failed" };
    case "skipped":
      return { tone: "cream", word: "Not sent" };
  }
}

/** The recipient's address, or a description if there is none (anymore). */
export function recipientText({ kind, recipient, status }: OutboxEntry): string {
  if (recipient !== null) return recipient;
  if (kind.startsWith("owner_")) return "You";
  return status === "queued" ? "The order’s address" : "No longer stored";
}
