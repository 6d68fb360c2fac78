import type { EditedEmail } from "../../../domain/content/emails/email-edit.ts";
import {
  type EmailTextKind,
  emailTextGroups,
  emailTextKinds,
  emailTextOf,
  isEmailTextKind,
} from "../../../domain/content/emails/texts.ts";
import type { ShopContext } from "../../context.ts";
import { readEditedText, readTextStates } from "../editing.ts";
import { readSamples } from "./preview.ts";
import { emailTextAs } from "./stored.ts";

export async function listEmails(ctx: ShopContext) {
  const states = await readTextStates(ctx, emailTextKinds.map(emailTextAs));
  const stateOf = new Map(emailTextKinds.map((kind, index) => [kind, states[index]]));
  return emailTextGroups.map(({ key, name, texts }) => ({
    key,
    name,
    emails: Object.keys(texts)
      .filter(isEmailTextKind)
      .flatMap((kind) => {
        const { name, when } = emailTextOf(kind);
        const state = stateOf.get(kind);
        return state ? [{ kind, name, when, ...state }] : [];
      }),
  }));
}

/** All that is needed to edit a text. */
export async function readEditedEmail(ctx: ShopContext, kind: EmailTextKind): Promise<EditedEmail> {
  const { name, when, facts, fields } = emailTextOf(kind);
  return {
    kind,
    name,
    when,
    ...(await readEditedText(ctx, emailTextAs(kind))),
    fields: Object.entries(fields).map(
      ([name, { label, hint = null, kind, most, isOptional = false, needs = [] }]) => ({
        name,
        label,
        hint,
        kind,
        most,
        isOptional,
        needs: [...needs],
      }),
    ),
    facts: Object.entries(facts).map(([name, label]) => ({ name, label })),
    samples: (await readSamples(ctx, kind)).map(({ name }) => name),
  };
}
