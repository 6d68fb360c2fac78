import { Text } from "../layout/elements.ts";
import { Action, Frame } from "../layout/frame.tsx";
import { paragraphs } from "../layout/plain-text.ts";
import type { EmailOf, Template } from "../layout/template.ts";
import { looks } from "../layout/theme.ts";

type Summary = EmailOf<"owner_summary">;

const things: Record<Summary["of"], string> = {
  owner_contact: "message",
  owner_question: "question",
  owner_review: "review",
};
const title = ({ of, count }: Summary) => `${count} more ${things[of]}${count === 1 ? "" : "s"} came in`;
const why = "So many came within an hour that you get this one email about the rest of them.";

/** One e-mail about the rest, after as many alerts of a kind as an hour may bring. */
export const ownerSummary: Template<Summary> = {
  subject: title,
  html: (email, sender) => (
    <Frame sender={sender} title={title(email)} preview={why}>
      <Text {...looks.text}>{why}</Text>
      <Action href={email.adminUrl}>Read them in the admin</Action>
    </Frame>
  ),
  text: (email, sender) =>
    paragraphs(sender, title(email), why, `Read them in the admin:\n${email.adminUrl}`),
};
