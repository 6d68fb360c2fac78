import type { Email, Sender } from "../domain/outbox/email.ts";
import { Text } from "./layout/elements.ts";
import { Action, Frame, Unsubscribe } from "./layout/frame.tsx";
import { oneLine } from "./layout/one-line.ts";
import { paragraphs, unsubscribeLine } from "./layout/plain-text.ts";
import { ProductPicture } from "./layout/product-picture.tsx";
import { looks } from "./layout/theme.ts";

type Props = Extract<Email, { kind: "refill_reminder" }>;

const title = "Nearly empty?";
const label = "Buy it again";
const once = ({ orderNumber }: Props) =>
  `You asked for this reminder with order #${orderNumber}. We send it once.`;

const question = ({ items }: Props) =>
  `By now your ${items.length === 1 ? oneLine(items[0]?.name ?? "") : "oil"} may be running low. One tap puts the same in your cart again.`;

export function subject(_: Props, { brandName }: Sender): string {
  return `Time for a refill from ${brandName}?`;
}

export function html(email: Props, sender: Sender) {
  return (
    <Frame sender={sender} title={title} preview={question(email)}>
      <Text {...looks.text}>Hello {email.firstName},</Text>
      <Text {...looks.text}>{question(email)}</Text>
      {email.items.map(({ name, image }) => (
        <ProductPicture key={name} sender={sender} image={image} alt={name} size={200} />
      ))}
      <Action href={email.againUrl}>{label}</Action>
      <Text {...looks.small}>{once(email)}</Text>
      <Unsubscribe href={email.unsubscribeUrl} />
    </Frame>
  );
}

export function text(email: Props, sender: Sender): string {
  return paragraphs(
    sender,
    title,
    `Hello ${oneLine(email.firstName)},`,
    question(email),
    `${label}:\n${email.againUrl}`,
    once(email),
    unsubscribeLine(email.unsubscribeUrl),
  );
}
