import { formatCents } from "../domain/shared/money.ts";
import { Text } from "./layout/elements.ts";
import { Action, Frame, Unsubscribe } from "./layout/frame.tsx";
import { oneLine } from "./layout/one-line.ts";
import { paragraphs, unsubscribeLine } from "./layout/plain-text.ts";
import { ProductPicture } from "./layout/product-picture.tsx";
import type { EditableTemplate, EmailOf } from "./layout/template.ts";
import { looks } from "./layout/theme.ts";
import { previewOf, Words, wordsText } from "./layout/words.tsx";

export const cartReminder: EditableTemplate<"cart_reminder"> = {
  facts: () => ({}),
  subject: (_, texts) => texts.line("subject"),
  html: (email, texts, sender) => (
    <Frame
      sender={sender}
      title={texts.line("heading")}
      preview={previewOf(texts.line("preheader"), texts.blocks("opening"))}
    >
      <Words blocks={texts.blocks("opening")} sender={sender} />
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
      <Words blocks={texts.blocks("prices")} sender={sender} look="small" />
      <Action href={email.cartUrl}>{texts.line("button")}</Action>
      <Words blocks={texts.blocks("once")} sender={sender} look="small" />
      <Unsubscribe href={email.unsubscribeUrl} />
    </Frame>
  ),
  text: (email, texts, sender) =>
    paragraphs(
      sender,
      texts.line("heading"),
      ...wordsText(texts.blocks("opening"), sender),
      email.items.map(line).join("\n"),
      ...wordsText(texts.blocks("prices"), sender),
      `${texts.line("button")}:\n${email.cartUrl}`,
      ...wordsText(texts.blocks("once"), sender),
      unsubscribeLine(email.unsubscribeUrl),
    ),
};

function line({ quantity, name, totalCents }: EmailOf<"cart_reminder">["items"][number]): string {
  return `${quantity} x ${oneLine(name)}, ${formatCents(totalCents)}`;
}
