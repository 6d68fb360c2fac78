import type { Sender } from "../domain/outbox/email.ts";
import type { EmailTexts } from "./layout/email-texts.ts";
import { Action, Frame } from "./layout/frame.tsx";
import { paragraphs } from "./layout/plain-text.ts";
import type { EmailOf } from "./layout/template.ts";
import { previewOf, Words, wordsText } from "./layout/words.tsx";

export const orderLookup = linkTemplate(({ lookupUrl }: EmailOf<"order_lookup">) => lookupUrl);
export const dataExport = linkTemplate(({ dataUrl }: EmailOf<"data_export">) => dataUrl);
export const dataDeletion = linkTemplate(({ dataUrl }: EmailOf<"data_deletion">) => dataUrl);

type LinkTexts = EmailTexts<"order_lookup" | "data_export" | "data_deletion">;

/** A single-use link that proves access to the mailbox. */
function linkTemplate<E>(hrefOf: (email: E) => string) {
  return {
    facts: () => ({}),
    subject: (_: E, texts: LinkTexts) => texts.line("subject"),
    html: (email: E, texts: LinkTexts, sender: Sender) => (
      <Frame
        sender={sender}
        title={texts.line("heading")}
        preview={previewOf(texts.line("preheader"), texts.blocks("opening"))}
      >
        <Words blocks={texts.blocks("opening")} sender={sender} />
        <Action href={hrefOf(email)}>{texts.line("button")}</Action>
        <Words blocks={texts.blocks("rules")} sender={sender} />
        <Words blocks={texts.blocks("stranger")} sender={sender} look="small" />
      </Frame>
    ),
    text: (email: E, texts: LinkTexts, sender: Sender) =>
      paragraphs(
        sender,
        texts.line("heading"),
        ...wordsText(texts.blocks("opening"), sender),
        `${texts.line("button")}:\n${hrefOf(email)}`,
        ...wordsText(texts.blocks("rules"), sender),
        ...wordsText(texts.blocks("stranger"), sender),
      ),
  };
}
