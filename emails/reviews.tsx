import type { Block } from "../domain/content/blocks.ts";
import { Link, Section, Text } from "./layout/elements.tsx";
import { greetingName } from "./layout/greeting.ts";
import { oneLine } from "./layout/one-line.ts";
import { action, optionalParagraph, paragraph, quote, textPart, unsubscribe } from "./layout/parts.tsx";
import { ProductPicture } from "./layout/product-picture.tsx";
import type { EditableTemplate, EmailOf, Template } from "./layout/template.ts";
import { colors, elementProps, sans } from "./layout/theme.ts";

const starCount = (rating: number) => (rating === 1 ? "1 star" : `${rating} stars`);

export const ownerReview: Template<EmailOf<"owner_review">> = {
  subject: ({ isHeld, rating, productName }) =>
    `${isHeld ? "Review to approve" : "New review"}: ${productName}, ${starCount(rating)}`,
  content: (email) => ({
    title: `Review of ${email.productName}`,
    preview: oneLine(email.comment).slice(0, 120),
    parts: [
      paragraph(
        `${starCount(email.rating)} from ${email.customerName ? oneLine(email.customerName) : "an anonymous customer"}`,
      ),
      quote(email.comment),
      paragraph(approvalText(email)),
      action("Open the reviews", email.adminUrl),
    ],
  }),
};

function approvalText({ isHeld, heldPhotos }: EmailOf<"owner_review">): string {
  const review = isHeld
    ? "It is waiting for your approval; until then nobody sees it."
    : "It is published. You can reply to it or hide it.";
  if (heldPhotos === 0) return review;
  return heldPhotos === 1
    ? `${review} It came with a photo, which nobody sees until you approve it.`
    : `${review} It came with ${heldPhotos} photos, which nobody sees until you approve them.`;
}

type Request = EmailOf<"review_request">;
type Item = Request["items"][number];

const isSingle = ({ items }: Request) => items.length === 1;

export const reviewRequest: EditableTemplate<"review_request"> = {
  facts: (email) => ({
    firstName: greetingName(email.firstName),
    orderNumber: String(email.orderNumber),
    productName: isSingle(email) ? (email.items[0]?.name ?? "") : null,
  }),
  subject: (email, texts) => texts.line(isSingle(email) ? "subject" : "subjectSeveral"),
  content: (email, texts, sender) => ({
    title: texts.line(isSingle(email) ? "heading" : "headingSeveral"),
    parts: [
      optionalParagraph(texts.line("greeting")),
      textPart(texts.blocks("opening"), sender),
      ...email.items.map((item) => {
        const button = action("Write a review", item.reviewUrl);
        return {
          html: (
            <Section style={{ padding: "10px 0 4px" }}>
              <table role="presentation" width="100%" cellPadding="0" cellSpacing="0">
                <tbody>
                  <tr>
                    <td className="thumb" style={{ paddingRight: 16, verticalAlign: "top", width: 88 }}>
                      <ProductPicture sender={sender} image={item.image} alt="" size={88} />
                    </td>
                    <td style={{ verticalAlign: "middle" }}>
                      <Text
                        className="ink"
                        style={{ ...elementProps.text.style, fontWeight: 600, margin: "0 0 4px" }}
                      >
                        {item.name}
                      </Text>
                      <Stars item={item} />
                    </td>
                  </tr>
                </tbody>
              </table>
              {button.html}
            </Section>
          ),
          text: `Review ${oneLine(item.name)}:\n${item.reviewUrl}`,
        };
      }),
      // The text part has no stars to explain.
      { html: textPart(texts.blocks("howTo"), sender, "small").html },
      {
        html: (
          <Text {...elementProps.text}>
            {texts.line("again")}{" "}
            <Link href={email.buyAgainUrl} {...elementProps.link}>
              {texts.line("againLink")}
            </Link>
          </Text>
        ),
        text: `${texts.line("again")} ${texts.line("againLink")}:\n${email.buyAgainUrl}`,
      },
      textPart(inOneParagraph([...texts.blocks("badge"), ...texts.blocks("once")]), sender, "small"),
      unsubscribe(email.unsubscribeUrl),
    ],
  }),
};

/** The small print as one paragraph; the owner's lists stay lists. */
function inOneParagraph(blocks: Block[]): Block[] {
  const joinedBlocks: Block[] = [];
  for (const block of blocks) {
    const last = joinedBlocks.at(-1);
    if (block.kind === "paragraph" && last?.kind === "paragraph")
      joinedBlocks.splice(-1, 1, { ...last, words: [...last.words, { text: " " }, ...block.words] });
    else joinedBlocks.push(block);
  }
  return joinedBlocks;
}

/** Each star opens the form with its rating chosen; a rating is sent with the form only. */
function Stars({ item }: { item: Item }) {
  return (
    <table role="presentation" cellPadding="0" cellSpacing="0">
      <tbody>
        <tr>
          {([1, 2, 3, 4, 5] as const).map((rating) => (
            <td key={rating} style={{ textAlign: "center" }}>
              <Link
                href={`${item.rateUrl}&rating=${rating}`}
                title={starCount(rating)}
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
