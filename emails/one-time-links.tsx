import type { Email, Sender } from "../domain/outbox/email.ts";
import { Text } from "./layout/elements.ts";
import { Action, Frame } from "./layout/frame.tsx";
import { paragraphs } from "./layout/plain-text.ts";
import type { EmailOf, Template } from "./layout/template.ts";
import { looks } from "./layout/theme.ts";

export const orderLookup = linkTemplate<"order_lookup">({
  subject: (sender) => `Find your ${sender.brandName} orders`,
  title: "Find your orders",
  before: ["You asked to see the orders placed with this email address."],
  label: "Show my orders",
  href: ({ lookupUrl }) => lookupUrl,
  rules: "The link works once, within an hour of asking for it, in the browser that opens it.",
  stranger: "If you didn’t ask for this, you can ignore it. Without this email, nobody sees anything.",
});

export const dataExport = linkTemplate<"data_export">({
  subject: (sender) => `Your data at ${sender.brandName}`,
  title: "Your data",
  before: ["You asked for a copy of what we store about this email address."],
  label: "Get my data",
  href: ({ dataUrl }) => dataUrl,
  rules: "The link works once, within an hour of asking for it. It opens a page with a button to download.",
  stranger: "If you didn’t ask for this, you can ignore it. Without this email, nobody gets your data.",
});

export const dataDeletion = linkTemplate<"data_deletion">({
  subject: (sender) => `Delete your data at ${sender.brandName}`,
  title: "Delete your data",
  before: [
    "You asked us to delete what we store about this email address.",
    "Nothing has been deleted yet. The link opens a page that shows what goes and what stays, and asks you to confirm.",
  ],
  label: "See what is deleted",
  href: ({ dataUrl }) => dataUrl,
  rules: "The link works once, within an hour of asking for it.",
  stranger: "If you didn’t ask for this, you can ignore it. Without this email, nothing can be deleted.",
});

type LinkEmail<K extends Email["kind"]> = {
  subject(sender: Sender): string;
  title: string;
  /** What was asked for, also as the preview, and what else to know before following the link. */
  before: [request: string, ...more: string[]];
  /** The button. */
  label: string;
  href(email: EmailOf<K>): string;
  rules: string;
  /** For somebody whose address another person entered. */
  stranger: string;
};

/** A link that shows its follower to be the address's owner. */
function linkTemplate<K extends Email["kind"]>(link: LinkEmail<K>): Template<EmailOf<K>> {
  const { title, before, label, rules, stranger } = link;
  return {
    subject: (_, sender) => link.subject(sender),
    html: (email, sender) => (
      <Frame sender={sender} title={title} preview={before[0]}>
        {before.map((words) => (
          <Text key={words} {...looks.text}>
            {words}
          </Text>
        ))}
        <Action href={link.href(email)}>{label}</Action>
        <Text {...looks.text}>{rules}</Text>
        <Text {...looks.small}>{stranger}</Text>
      </Frame>
    ),
    text: (email, sender) =>
      paragraphs(sender, title, ...before, `${label}:\n${link.href(email)}`, rules, stranger),
  };
}
