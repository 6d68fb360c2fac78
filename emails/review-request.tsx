import { Link, Section, Text } from "./layout/elements.ts";
import { Action, Frame, Unsubscribe } from "./layout/frame.tsx";
import { helloName } from "./layout/hello.ts";
import { oneLine } from "./layout/one-line.ts";
import { paragraphs, unsubscribeLine } from "./layout/plain-text.ts";
import { ProductPicture } from "./layout/product-picture.tsx";
import type { EditableTemplate, EmailOf } from "./layout/template.ts";
import { colors, looks, sans } from "./layout/theme.ts";
import { previewOf, Words, wordsText } from "./layout/words.tsx";

type Props = EmailOf<"review_request">;
type Item = Props["items"][number];

const ratings = [1, 2, 3, 4, 5] as const;

const isSingle = ({ items }: Props) => items.length === 1;
const headingOf = (email: Props) => (isSingle(email) ? "heading" : "headingSeveral");

export const reviewRequest: EditableTemplate<"review_request"> = {
  facts: (email) => ({
    firstName: helloName(email.firstName),
    orderNumber: String(email.orderNumber),
    productName: isSingle(email) ? (email.items[0]?.name ?? "") : null,
  }),
  subject: (email, texts) => texts.line(isSingle(email) ? "subject" : "subjectSeveral"),
  html(email, texts, sender) {
    const greeting = texts.line("greeting");
    return (
      <Frame
        sender={sender}
        title={texts.line(headingOf(email))}
        preview={previewOf(texts.line("preheader"), texts.blocks("opening"))}
      >
        {greeting && <Text {...looks.text}>{greeting}</Text>}
        <Words blocks={texts.blocks("opening")} sender={sender} />
        {email.items.map((item) => (
          <Section key={item.reviewUrl} style={{ padding: "10px 0 4px" }}>
            <table role="presentation" width="100%" cellPadding="0" cellSpacing="0">
              <tbody>
                <tr>
                  <td className="thumb" style={{ paddingRight: 16, verticalAlign: "top", width: 88 }}>
                    <ProductPicture sender={sender} image={item.image} alt="" size={88} />
                  </td>
                  <td style={{ verticalAlign: "middle" }}>
                    <Text className="ink" style={{ ...looks.text.style, fontWeight: 600, margin: "0 0 4px" }}>
                      {item.name}
                    </Text>
                    <Stars item={item} />
                  </td>
                </tr>
              </tbody>
            </table>
            <Action href={item.reviewUrl}>{`Review ${oneLine(item.name)}`}</Action>
          </Section>
        ))}
        <Words blocks={texts.blocks("howTo")} sender={sender} look="small" />
        <Text {...looks.text}>
          {texts.line("again")}{" "}
          <Link href={email.againUrl} {...looks.link}>
            {texts.line("againLink")}
          </Link>
        </Text>
        <Words blocks={texts.blocks("badge")} sender={sender} look="small" />
        <Words blocks={texts.blocks("once")} sender={sender} look="small" />
        <Unsubscribe href={email.unsubscribeUrl} />
      </Frame>
    );
  },
  text: (email, texts, sender) =>
    paragraphs(
      sender,
      texts.line(headingOf(email)),
      texts.line("greeting") || null,
      ...wordsText(texts.blocks("opening"), sender),
      ...email.items.map(({ name, reviewUrl }) => `Review ${oneLine(name)}:\n${reviewUrl}`),
      `${texts.line("again")} ${texts.line("againLink")}:\n${email.againUrl}`,
      ...wordsText(texts.blocks("badge"), sender),
      ...wordsText(texts.blocks("once"), sender),
      unsubscribeLine(email.unsubscribeUrl),
    ),
};

/** Each star opens the form with its rating chosen; a rating is sent with the form only. */
function Stars({ item }: { item: Item }) {
  return (
    <table role="presentation" cellPadding="0" cellSpacing="0">
      <tbody>
        <tr>
          {ratings.map((rating) => (
            <td key={rating} style={{ textAlign: "center" }}>
              <Link
                href={`${item.rateUrl}&rating=${rating}`}
                title={starsText(rating)}
                className="star"
                style={{
                  color: colors.star,
                  display: "block",
                  fontFamily: sans,
                  fontSize: 30,
                  lineHeight: "30px",
                  padding: "6px 0",
                  textDecoration: "none",
                  width: 44,
                }}
              >
                ★
                <br />
                <span className="muted" style={{ color: colors.inkMuted, fontSize: 13, lineHeight: "16px" }}>
                  {rating}
                </span>
              </Link>
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}

const starsText = (rating: number) => (rating === 1 ? "1 star" : `${rating} stars`);
