import type { Email, Sender } from "../../domain/outbox/email.ts";
import { Text } from "../layout/elements.ts";
import { Action, Frame, Quote } from "../layout/frame.tsx";
import { linesOf, oneLine } from "../layout/one-line.ts";
import { paragraphs } from "../layout/plain-text.ts";
import { looks } from "../layout/theme.ts";

type Props = Extract<Email, { kind: "owner_review" }>;

const stars = (rating: number) => `${rating} ${rating === 1 ? "star" : "stars"}`;

const author = ({ rating, customerName }: Props) =>
  `${stars(rating)} from ${customerName ? oneLine(customerName) : "somebody without a name"}`;

const state = ({ isHeld, heldPhotos }: Props) =>
  [
    isHeld
      ? "It waits for your approval; until then nobody sees it."
      : "It is on show. You can answer it or take it off.",
    ...(heldPhotos > 0
      ? [
          heldPhotos === 1
            ? "It came with a photo, which nobody sees until you approve it."
            : `It came with ${heldPhotos} photos, which nobody sees until you approve them.`,
        ]
      : []),
  ].join(" ");

export function subject({ isHeld, rating, productName }: Props): string {
  return `${isHeld ? "Review to approve" : "New review"}: ${productName}, ${stars(rating)}`;
}

export function html(email: Props, sender: Sender) {
  return (
    <Frame
      sender={sender}
      title={`Review of ${email.productName}`}
      preview={oneLine(email.comment).slice(0, 120)}
    >
      <Text {...looks.text}>{author(email)}</Text>
      <Quote text={email.comment} />
      <Text {...looks.text}>{state(email)}</Text>
      <Action href={email.adminUrl}>Open the reviews</Action>
    </Frame>
  );
}

export function text(email: Props, sender: Sender): string {
  return paragraphs(
    sender,
    `Review of ${email.productName}`,
    author(email),
    linesOf(email.comment)
      .map((line) => `> ${line}`)
      .join("\n"),
    state(email),
    `Open the reviews:\n${email.adminUrl}`,
  );
}
