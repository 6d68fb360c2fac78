import { Text } from "./layout/elements.ts";
import { Action, Frame, Quote } from "./layout/frame.tsx";
import { Lines } from "./layout/lines.tsx";
import { linesOf, oneLine } from "./layout/one-line.ts";
import { paragraphs } from "./layout/plain-text.ts";
import type { EditableTemplate, EmailOf, Template } from "./layout/template.ts";
import { looks } from "./layout/theme.ts";

const asker = ({ name }: EmailOf<"owner_question">) => (name ? `${oneLine(name)} asks:` : "Somebody asks:");

const next = ({ isAnswerAwaited }: EmailOf<"owner_question">) =>
  isAnswerAwaited
    ? "Your answer goes to them by email, and on the product’s page if you publish it."
    : "They left no email address: your answer reaches them on the product’s page.";

export const ownerQuestion: Template<EmailOf<"owner_question">> = {
  subject: ({ productName }) => `Question about ${productName}`,
  html: (email, sender) => (
    <Frame
      sender={sender}
      title={`A question about ${email.productName}`}
      preview={oneLine(email.question).slice(0, 120)}
    >
      <Text {...looks.text}>{asker(email)}</Text>
      <Quote text={email.question} />
      <Text {...looks.text}>{next(email)}</Text>
      <Action href={email.adminUrl}>Answer it</Action>
    </Frame>
  ),
  text: (email, sender) =>
    paragraphs(
      sender,
      `A question about ${email.productName}`,
      asker(email),
      quoted(email.question),
      next(email),
      `Answer it:\n${email.adminUrl}`,
    ),
};

export const questionAnswer: EditableTemplate<"question_answer"> = {
  facts: ({ productName }) => ({ productName }),
  subject: (_, texts) => texts.line("subject"),
  html: (email, texts, sender) => (
    <Frame sender={sender} title={texts.line("heading")} preview={oneLine(email.answer).slice(0, 120)}>
      <Text {...looks.small}>{texts.line("asked")}</Text>
      <Quote text={email.question} />
      {email.answer.split(/(?:\r\n?|\n){2,}/).map((words, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs of a text that never changes
        <Text key={index} {...looks.text}>
          <Lines lines={linesOf(words)} />
        </Text>
      ))}
      <Action href={email.productUrl}>{texts.line("button")}</Action>
    </Frame>
  ),
  text: (email, texts, sender) =>
    paragraphs(
      sender,
      texts.line("asked"),
      quoted(email.question),
      linesOf(email.answer).join("\n"),
      `${texts.line("button")}:\n${email.productUrl}`,
    ),
};

function quoted(words: string): string {
  return linesOf(words)
    .map((line) => `> ${line}`)
    .join("\n");
}
