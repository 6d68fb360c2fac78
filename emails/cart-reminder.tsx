import { formatCents } from "../domain/shared/money.ts";
import { Text } from "./layout/elements.ts";
import { Action, Frame, Unsubscribe } from "./layout/frame.tsx";
import { oneLine } from "./layout/one-line.ts";
import { paragraphs, unsubscribeLine } from "./layout/plain-text.ts";
import { ProductPicture } from "./layout/product-picture.tsx";
import type { EmailOf, WordedTemplate } from "./layout/template.ts";
import { looks } from "./layout/theme.ts";
import { previewOf, Words, wordsText } from "./layout/words.tsx";

export const cartReminder: WordedTemplate<"cart_reminder"> = {
  facts: () => ({}),
  subject: (_, said) => said.line("subject"),
  html: (email, said, sender) => (
    <Frame
      sender={sender}
      title={said.line("heading")}
      preview={previewOf(said.line("preheader"), said.words("opening"))}
    >
      <Words blocks={said.words("opening")} sender={sender} />
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
      <Words blocks={said.words("prices")} sender={sender} look="small" />
      <Action href={email.cartUrl}>{said.line("button")}</Action>
      <Words blocks={said.words("once")} sender={sender} look="small" />
      <Unsubscribe href={email.unsubscribeUrl} />
    </Frame>
  ),
  text: (email, said, sender) =>
    paragraphs(
      sender,
      said.line("heading"),
      ...wordsText(said.words("opening"), sender),
      email.items.map(line).join("\n"),
      ...wordsText(said.words("prices"), sender),
      `${said.line("button")}:\n${email.cartUrl}`,
      ...wordsText(said.words("once"), sender),
      unsubscribeLine(email.unsubscribeUrl),
    ),
};

function line({ quantity, name, totalCents }: EmailOf<"cart_reminder">["items"][number]): string {
  return `${quantity} x ${oneLine(name)}, ${formatCents(totalCents)}`;
}
