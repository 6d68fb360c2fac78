import type { OutboxEntry } from "../../../../domain/outbox/outbox.ts";
import { Badge } from "../../../ui/badge.tsx";

type State = Pick<OutboxEntry, "status" | "delivery">;

/** How far an e-mail or text got, as one word. */
export function MessageStateBadge({ state }: { state: State }) {
  const { tone, word } = lookOf(state);
  return <Badge tone={tone}>{word}</Badge>;
}

/** The same as a sentence. */
export function stateSentence({ status, delivery }: State): string {
  switch (status) {
    case "queued":
      return "Waits to be sent.";
    case "sending":
      return "Is being sent.";
    case "sent":
      return delivery === null ? "The mail server took it." : deliverySentences[delivery];
    case "kept":
      return "Kept here and in the mail folder, and not sent: no mail server, or no address of yours, is configured.";
    case "failed":
      return "Given up.";
    case "skipped":
      return "Not sent.";
  }
}

const deliverySentences = {
  accepted: "Twilio took it; whether it arrived is not known yet.",
  delivered: "It arrived on the phone.",
  undelivered: "It did not arrive.",
};

function lookOf({ status, delivery }: State): {
  tone: "green" | "yellow" | "blue" | "red" | "cream";
  word: string;
} {
  if (delivery === "delivered") return { tone: "green", word: "Delivered" };
  if (delivery === "undelivered") return { tone: "red", word: "Not delivered" };
  switch (status) {
    case "queued":
      return { tone: "yellow", word: "Waiting" };
    case "sending":
      return { tone: "yellow", word: "Sending" };
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
