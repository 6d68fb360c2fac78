import { formatDay } from "../domain/orders/order-text.ts";
import { Link, Text } from "./layout/elements.tsx";
import { oneLine } from "./layout/one-line.ts";
import { action, answerPart, paragraph, quote, textPart } from "./layout/parts.tsx";
import type { EditableTemplate, EmailOf, Template } from "./layout/template.ts";
import { elementProps } from "./layout/theme.ts";

/** The automatic answer. It never quotes the message: otherwise the form could send text to third parties. */
export const contactReceipt: EditableTemplate<"contact_receipt"> = {
  facts: ({ reference }) => ({ reference }),
  content: (_, texts, sender) => ({
    parts: [textPart(texts.blocks("opening"), sender), textPart(texts.blocks("stranger"), sender, "small")],
  }),
};

/** The subject is the automatic answer's after "Re:", so that mail programs show both as one conversation. */
export const contactReply: EditableTemplate<"contact_reply"> = {
  facts: ({ reference, writtenAt }, { timeZone }) => ({
    reference,
    writtenOn: formatDay(writtenAt, timeZone),
  }),
  content(email, texts, { replyTo, publicUrl }) {
    const quoteNote = texts.line("quoteNote");
    const message = quote(email.message);
    return {
      preview: oneLine(email.text).slice(0, 120),
      isTitleInText: false,
      parts: [
        answerPart(email.text),
        // Without a reply address, replies would go to a mailbox that is not read.
        replyTo === null && paragraph(`To answer, please write to us at ${publicUrl}/contact`, "small"),
        {
          html: [paragraph(quoteNote, "small").html, message.html],
          text: `${quoteNote}\n${message.text}`,
        },
      ],
    };
  },
};

/** A new message, to the owner. */
export const ownerContact: Template<EmailOf<"owner_contact">> = {
  subject: ({ isSuspicious, reference, about }) =>
    `${isSuspicious ? "Possibly automatic: " : ""}${about} (${reference})`,
  content: (email) => ({
    title: `Message ${email.reference}`,
    preview: oneLine(email.message).slice(0, 120),
    parts: [
      email.isSuspicious &&
        paragraph("This looks like it was sent by a bot, so its sender got no automatic answer.", "small"),
      {
        html: (
          <Text {...elementProps.text}>
            {oneLine(email.name)},{" "}
            <Link href={`mailto:${email.email}`} {...elementProps.link}>
              {email.email}
            </Link>
            <br />
            {email.about}
          </Text>
        ),
        text: `${oneLine(email.name)}, ${email.email}\n${email.about}`,
      },
      quote(email.message),
      paragraph("Reply to this email to answer."),
      action("Open the message", email.adminUrl),
    ],
  }),
};

export const ownerQuestion: Template<EmailOf<"owner_question">> = {
  subject: ({ productName }) => `Question about ${productName}`,
  content: ({ productName, question, name, isAnswerAwaited, adminUrl }) => ({
    title: `A question about ${productName}`,
    preview: oneLine(question).slice(0, 120),
    parts: [
      paragraph(name ? `${oneLine(name)} asks:` : "Someone asks:"),
      quote(question),
      paragraph(
        isAnswerAwaited
          ? "Your answer goes to them by email, and on the product’s page if you publish it."
          : "They left no email address: your answer reaches them on the product’s page.",
      ),
      action("Answer it", adminUrl),
    ],
  }),
};

export const questionAnswer: EditableTemplate<"question_answer"> = {
  facts: ({ productName }) => ({ productName }),
  content: (email, texts) => ({
    preview: oneLine(email.answer).slice(0, 120),
    isTitleInText: false,
    parts: [
      paragraph(texts.line("asked"), "small"),
      quote(email.question),
      answerPart(email.answer),
      action(texts.line("button"), email.productUrl),
    ],
  }),
};
