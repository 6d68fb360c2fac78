import type { Email, Sender } from "../domain/outbox/email.ts";
import { Section, Text } from "./layout/elements.ts";
import { Action, Frame, Unsubscribe } from "./layout/frame.tsx";
import { hello } from "./layout/hello.ts";
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
      <Text {...looks.text}>{hello(email.firstName)}</Text>
      <Text {...looks.text}>{question(email)}</Text>
      {email.items.length === 1 ? (
        <Section style={{ padding: "8px 0 4px" }}>
          <ProductPicture sender={sender} image={email.items[0]?.image ?? null} alt="" size={280} />
        </Section>
      ) : (
        email.items.map((item) => <Line key={item.name} item={item} sender={sender} />)
      )}
      <Action href={email.againUrl}>{label}</Action>
      <Text {...looks.small}>{once(email)}</Text>
      <Unsubscribe href={email.unsubscribeUrl} />
    </Frame>
  );
}

/** One of several products: small, and with its name. */
function Line({ item: { name, image }, sender }: { item: Props["items"][number]; sender: Sender }) {
  return (
    <table role="presentation" width="100%" cellPadding="0" cellSpacing="0">
      <tbody>
        <tr>
          {image !== null && (
            <td className="thumb" style={{ padding: "6px 16px 6px 0", width: 72 }}>
              <ProductPicture sender={sender} image={image} alt="" size={72} />
            </td>
          )}
          <td style={{ padding: "6px 0", verticalAlign: "middle" }}>
            <Text className="ink" style={{ ...looks.text.style, fontWeight: 600, margin: 0 }}>
              {name}
            </Text>
          </td>
        </tr>
      </tbody>
    </table>
  );
}

export function text(email: Props, sender: Sender): string {
  return paragraphs(
    sender,
    title,
    hello(email.firstName),
    question(email),
    `${label}:\n${email.againUrl}`,
    once(email),
    unsubscribeLine(email.unsubscribeUrl),
  );
}
