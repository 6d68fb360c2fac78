import type { Email, Sender } from "../domain/outbox/email.ts";
import { formatCents } from "../domain/shared/money.ts";
import { Text } from "./layout/elements.ts";
import { Action, Frame, Unsubscribe } from "./layout/frame.tsx";
import { oneLine, paragraphs, unsubscribeLine } from "./layout/plain-text.ts";
import { styles } from "./layout/theme.ts";

type Props = Extract<Email, { kind: "cart_reminder" }>;

const asked = "You asked us to email you your cart if you did not finish your order. Here it is.";
const prices = "Prices are today’s, before shipping and tax. Nothing is reserved.";
const once = "We send this once, and only because the box at checkout was ticked.";

export function subject(_: Props, sender: Sender): string {
  return `Your ${sender.brandName} cart`;
}

export function html(email: Props, sender: Sender) {
  return (
    <Frame sender={sender} title="Your cart" preview={asked}>
      <Text style={styles.text}>{asked}</Text>
      <Text style={styles.text}>
        {email.items.map((item) => (
          <span key={item.name}>
            {line(item)}
            <br />
          </span>
        ))}
      </Text>
      <Text style={styles.small}>{prices}</Text>
      <Action href={email.cartUrl}>Open my cart</Action>
      <Text style={styles.small}>{once}</Text>
      <Unsubscribe href={email.unsubscribeUrl} />
    </Frame>
  );
}

export function text(email: Props, sender: Sender): string {
  return paragraphs(
    sender,
    "Your cart",
    asked,
    email.items.map(line).join("\n"),
    prices,
    `Open my cart:\n${email.cartUrl}`,
    once,
    unsubscribeLine(email.unsubscribeUrl),
  );
}

function line({ quantity, name, totalCents }: Props["items"][number]): string {
  return `${quantity} x ${oneLine(name)}, ${formatCents(totalCents)}`;
}
