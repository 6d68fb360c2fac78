import type { Sender } from "../domain/outbox/email.ts";
import { Action, Frame } from "./layout/frame.tsx";
import { paragraphs } from "./layout/plain-text.ts";
import type { Said } from "./layout/said.ts";
import type { EmailOf } from "./layout/template.ts";
import { previewOf, Words, wordsText } from "./layout/words.tsx";

export const orderLookup = linkTemplate(({ lookupUrl }: EmailOf<"order_lookup">) => lookupUrl);
export const dataExport = linkTemplate(({ dataUrl }: EmailOf<"data_export">) => dataUrl);
export const dataDeletion = linkTemplate(({ dataUrl }: EmailOf<"data_deletion">) => dataUrl);

type LinkSaid = Said<"order_lookup" | "data_export" | "data_deletion">;

/** A link that shows its follower to be the address's owner. */
function linkTemplate<E>(hrefOf: (email: E) => string) {
  return {
    facts: () => ({}),
    subject: (_: E, said: LinkSaid) => said.line("subject"),
    html: (email: E, said: LinkSaid, sender: Sender) => (
      <Frame
        sender={sender}
        title={said.line("heading")}
        preview={previewOf(said.line("preheader"), said.words("opening"))}
      >
        <Words blocks={said.words("opening")} sender={sender} />
        <Action href={hrefOf(email)}>{said.line("button")}</Action>
        <Words blocks={said.words("rules")} sender={sender} />
        <Words blocks={said.words("stranger")} sender={sender} look="small" />
      </Frame>
    ),
    text: (email: E, said: LinkSaid, sender: Sender) =>
      paragraphs(
        sender,
        said.line("heading"),
        ...wordsText(said.words("opening"), sender),
        `${said.line("button")}:\n${hrefOf(email)}`,
        ...wordsText(said.words("rules"), sender),
        ...wordsText(said.words("stranger"), sender),
      ),
  };
}
