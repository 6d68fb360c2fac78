import type { Sender } from "../domain/outbox/email.ts";
import { Section, Text } from "./layout/elements.ts";
import { Action, Frame, Unsubscribe } from "./layout/frame.tsx";
import { helloName } from "./layout/hello.ts";
import { paragraphs, unsubscribeLine } from "./layout/plain-text.ts";
import { ProductPicture } from "./layout/product-picture.tsx";
import type { EditableTemplate, EmailOf } from "./layout/template.ts";
import { looks } from "./layout/theme.ts";
import { previewOf, Words, wordsText } from "./layout/words.tsx";

type Item = EmailOf<"refill_reminder">["items"][number];

export const refillReminder: EditableTemplate<"refill_reminder"> = {
  facts: ({ firstName, orderNumber, items }) => ({
    firstName: helloName(firstName),
    orderNumber: String(orderNumber),
    goods: items.length === 1 ? (items[0]?.name ?? "") : "oil",
  }),
  subject: (_, texts) => texts.line("subject"),
  html(email, texts, sender) {
    const greeting = texts.line("greeting");
    return (
      <Frame
        sender={sender}
        title={texts.line("heading")}
        preview={previewOf(texts.line("preheader"), texts.blocks("opening"))}
      >
        {greeting && <Text {...looks.text}>{greeting}</Text>}
        <Words blocks={texts.blocks("opening")} sender={sender} />
        {email.items.length === 1 ? (
          <Section style={{ padding: "8px 0 4px" }}>
            <ProductPicture sender={sender} image={email.items[0]?.image ?? null} alt="" size={280} />
          </Section>
        ) : (
          email.items.map((item) => <Line key={item.name} item={item} sender={sender} />)
        )}
        <Action href={email.againUrl}>{texts.line("button")}</Action>
        <Words blocks={texts.blocks("once")} sender={sender} look="small" />
        <Unsubscribe href={email.unsubscribeUrl} />
      </Frame>
    );
  },
  text: (email, texts, sender) =>
    paragraphs(
      sender,
      texts.line("heading"),
      texts.line("greeting") || null,
      ...wordsText(texts.blocks("opening"), sender),
      `${texts.line("button")}:\n${email.againUrl}`,
      ...wordsText(texts.blocks("once"), sender),
      unsubscribeLine(email.unsubscribeUrl),
    ),
};

/** One of several products: a small picture and the name. */
function Line({ item: { name, image }, sender }: { item: Item; sender: Sender }) {
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
