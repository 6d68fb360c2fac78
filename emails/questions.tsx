import { Text } from "./layout/elements.ts";
import { Action, Frame, Quote } from "./layout/frame.tsx";
import { Lines } from "./layout/lines.tsx";
import { linesOf, oneLine } from "./layout/one-line.ts";
import { paragraphs } from "./layout/plain-text.ts";
import type { EmailOf, Template, WordedTemplate } from "./layout/template.ts";
import { looks } from "./layout/theme.ts";

const asker = ({ name }: EmailOf<"owner_question">) => (name ? `${oneLine(name)} asks:` : "Somebody asks:");

const next = ({ isAnswerAwaited }: EmailOf<"owner_question">) =>
  isAnswerAwaited
    ? "Your answer goes to them by email, and on the product’s page if you publish it."
    : "They left no email address: your answer reaches them on the product’s page.";

/** A question about a product, to the owner. */
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

/** The owner's answer, to whoever asked. */
export const questionAnswer: WordedTemplate<"question_answer"> = {
  facts: ({ productName }) => ({ productName }),
  subject: (_, said) => said.line("subject"),
  html: (email, said, sender) => (
    <Frame sender={sender} title={said.line("heading")} preview={oneLine(email.answer).slice(0, 120)}>
      <Text {...looks.small}>{said.line("asked")}</Text>
      <Quote text={email.question} />
      {email.answer.split(/(?:\r\n?|\n){2,}/).map((words, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs of a text that never changes
        <Text key={index} {...looks.text}>
          <Lines lines={linesOf(words)} />
        </Text>
      ))}
      <Action href={email.productUrl}>{said.line("button")}</Action>
    </Frame>
  ),
  text: (email, said, sender) =>
    paragraphs(
      sender,
      said.line("asked"),
      quoted(email.question),
      linesOf(email.answer).join("\n"),
      `${said.line("button")}:\n${email.productUrl}`,
    ),
};

/** As mail programs quote. */
function quoted(words: string): string {
  return linesOf(words)
    .map((line) => `> ${line}`)
    .join("\n");
}
