import type { Email, Sender } from "../domain/outbox/email.ts";
import { formatCents } from "../domain/shared/money.ts";
import { Text } from "./layout/elements.ts";
import { Action, Frame, Unsubscribe } from "./layout/frame.tsx";
import { oneLine } from "./layout/one-line.ts";
import { paragraphs, unsubscribeLine } from "./layout/plain-text.ts";
import { ProductPicture } from "./layout/product-picture.tsx";
import { looks } from "./layout/theme.ts";

type Props = Extract<Email, { kind: "cart_reminder" }>;

const asked = "You asked us to email you your cart if you didn’t finish your order. Here it is.";
const prices = "Prices are today’s, before shipping and tax. Nothing is reserved.";
const once = "We send this only once, and only because it was asked for at checkout.";

export function subject(_: Props, sender: Sender): string {
  return `Your ${sender.brandName} cart`;
}

export function html(email: Props, sender: Sender) {
  return (
    <Frame sender={sender} title="Your cart" preview={asked}>
      <Text {...looks.text}>{asked}</Text>
      {email.items.map((item) => (
        <table key={item.name} role="presentation" cellPadding="0" cellSpacing="0">
          <tbody>
            <tr>
              <td style={{ padding: "6px 16px 6px 0", width: 72 }}>
                <ProductPicture sender={sender} image={item.image} alt="" size={72} />
              </td>
              <td>
                <Text className="ink" style={{ ...looks.text.style, margin: 0 }}>
                  {line(item)}
                </Text>
              </td>
            </tr>
          </tbody>
        </table>
      ))}
      <Text {...looks.small}>{prices}</Text>
      <Action href={email.cartUrl}>Open my cart</Action>
      <Text {...looks.small}>{once}</Text>
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
