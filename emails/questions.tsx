import { oneLine } from "./layout/one-line.ts";
import { action, answer, paragraph, quote } from "./layout/parts.tsx";
import type { EditableTemplate, EmailOf, Template } from "./layout/template.ts";

export const ownerQuestion: Template<EmailOf<"owner_question">> = {
  subject: ({ productName }) => `Question about ${productName}`,
  content: ({ productName, question, name, isAnswerAwaited, adminUrl }) => ({
    title: `A question about ${productName}`,
    preview: oneLine(question).slice(0, 120),
    parts: [
      paragraph(name ? `${oneLine(name)} asks:` : "Somebody asks:"),
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
      answer(email.answer),
      action(texts.line("button"), email.productUrl),
    ],
  }),
};
