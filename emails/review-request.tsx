import type { Email, Sender } from "../domain/outbox/email.ts";
import { Link, Section, Text } from "./layout/elements.ts";
import { Action, Frame, Unsubscribe } from "./layout/frame.tsx";
import { hello } from "./layout/hello.ts";
import { oneLine } from "./layout/one-line.ts";
import { paragraphs, unsubscribeLine } from "./layout/plain-text.ts";
import { ProductPicture } from "./layout/product-picture.tsx";
import { colors, looks, sans } from "./layout/theme.ts";

type Props = Extract<Email, { kind: "review_request" }>;
type Item = Props["items"][number];

const question = "You’ve had some time with your order. Would you tell others what you think, good or bad?";
const howTo = "Tap the stars to begin. You can change them, and add a few words, before anything is sent.";
const badge = "Reviews from this email are marked “Verified Buyer”. Sign with any name, or none at all.";
const again = "Running low already?";
const label = "Buy again";
const once = "We ask once for each order.";

const ratings = [1, 2, 3, 4, 5] as const;

export function subject({ items }: Props): string {
  const [first, ...others] = items;
  return first && others.length === 0
    ? `How do you like ${oneLine(first.name)}?`
    : "How do you like your order?";
}

export function html(email: Props, sender: Sender) {
  return (
    <Frame sender={sender} title={subject(email)} preview={question}>
      <Text {...looks.text}>{hello(email.firstName)}</Text>
      <Text {...looks.text}>{question}</Text>
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
      <Text {...looks.small}>{howTo}</Text>
      <Text {...looks.text}>
        {again}{" "}
        <Link href={email.againUrl} {...looks.link}>
          {label}
        </Link>
      </Text>
      <Text {...looks.small}>{badge}</Text>
      <Text {...looks.small}>{`${once} ${about(email)}`}</Text>
      <Unsubscribe href={email.unsubscribeUrl} />
    </Frame>
  );
}

/** Each leads to the form with that rating chosen; opening it sends nothing. */
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

export function text(email: Props, sender: Sender): string {
  return paragraphs(
    sender,
    subject(email),
    hello(email.firstName),
    question,
    ...email.items.map(({ name, reviewUrl }) => `Review ${oneLine(name)}:\n${reviewUrl}`),
    `${again} ${label}:\n${email.againUrl}`,
    badge,
    `${once} ${about(email)}`,
    unsubscribeLine(email.unsubscribeUrl),
  );
}

const starsText = (rating: number) => (rating === 1 ? "1 star" : `${rating} stars`);

function about({ orderNumber }: Props): string {
  return `This one is about order #${orderNumber}.`;
}
