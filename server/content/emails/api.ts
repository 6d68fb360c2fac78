import * as v from "valibot";
import {
  checkedEmailSchema,
  type EditedEmail,
  type EmailFieldTexts,
  editedEmailSchema,
  emailChangeSchema,
  emailListSchema,
  emailParams,
  emailPreviewSchema,
  emailVersionsSchema,
} from "../../../domain/content/emails/email-edit.ts";
import {
  type EmailTextKind,
  emailTextGroups,
  emailTextKinds,
  findEmailText,
  isEmailTextKind,
} from "../../../domain/content/emails/texts.ts";
import { accepted, dataEnvelope, ok, route } from "../../api-row.ts";
import type { ShopContext } from "../../context.ts";
import { numericId, pageLimit } from "../../platform/http/params.ts";
import { invalidFields } from "../../platform/http/problem.ts";
import { changeText, type EditableText, publish, saveDraft } from "../commands.ts";
import { listVersions, readEditedText, readTextStates } from "../queries.ts";
import { completeEmail, emailKey, emailText } from "./default-texts.ts";
import { enqueueTextTest, previewEmail, readSamples } from "./preview.ts";

const shared = { tag: "Content", access: "admin", roles: ["staff"] } as const;
const conflict = {
  409: "`invalid_state`: the text was changed since the `revision` sent along; nothing was saved, `current` has the stored text",
};

/** Texts of e-mails to shoppers. */
export const emailTextsApi = [
  route("GET /api/admin/email-texts", {
    ...shared,
    summary: "The emails whose text can be edited, in groups",
    response: dataEnvelope(emailListSchema),
    responses: { 200: "`published` is null while the default text is sent" },
    handle: async (ctx) => ok(await listEmails(ctx)),
  }),
  route("GET /api/admin/email-texts/:kind", {
    ...shared,
    summary: "The text of an e-mail: its fields, draft, default text, placeholders and samples",
    params: emailParams,
    response: dataEnvelope(editedEmailSchema),
    responses: { 200: "The text; `isShippedNewer`: the default text has changed since it was published" },
    handle: async (ctx, { params: { kind } }) => ok(await readEditedEmail(ctx, kind)),
  }),
  route("GET /api/admin/email-texts/:kind/versions", {
    ...shared,
    summary: "Published versions of an e-mail’s text, the latest first",
    params: emailParams,
    query: v.object({ limit: pageLimit(20), cursor: v.optional(numericId) }),
    response: emailVersionsSchema,
    responses: { 200: "`text` is null if the default text was restored" },
    async handle(ctx, { params: { kind }, query: { limit, cursor = null } }) {
      const { data, nextCursor } = await listVersions(ctx.db, emailText(kind), { limit, cursor });
      const versions = data.map((version) => ({
        ...version,
        text: version.text && completeEmail(kind, version.text),
      }));
      return { status: 200, body: { data: versions, nextCursor } };
    },
  }),
  route("POST /api/admin/email-texts/:kind/check", {
    ...shared,
    onlyReads: true,
    summary: "Preview of the e-mail with sample data, and its problems; nothing is saved",
    params: emailParams,
    body: emailPreviewSchema,
    response: dataEnvelope(checkedEmailSchema),
    responses: { 200: "`rendered` is null while there are `problems`, by field; `warnings`" },
    handle: async (ctx, { params: { kind }, body }) => ok(await previewEmail(ctx, { kind, ...body })),
  }),
  route("POST /api/admin/email-texts/:kind/test", {
    ...shared,
    // The owner receives it as an e-mail from the shop.
    roles: [],
    limit: "checkout",
    summary: "Send the owner an e-mail with this text and sample data",
    params: emailParams,
    body: emailPreviewSchema,
    response: dataEnvelope(
      v.object({ messageId: v.string(), to: v.nullable(v.string()), isSent: v.boolean() }),
    ),
    responses: {
      202: "Queued, `to` the owner; `isSent` is false if it is only stored, because the mail server or the owner's address is missing",
    },
    async handle(ctx, { params: { kind }, body, log }) {
      const { problems: fields } = await previewEmail(ctx, { kind, ...body });
      if (Object.keys(fields).length > 0) return invalidFields(fields);
      const messageId = await enqueueTextTest(ctx, { kind, ...body });
      log({ subject: `content:${emailKey(kind)}`, summary: `Sent a test of “${findEmailText(kind).name}”` });
      const to = ctx.config.mail.ownerEmail;
      return accepted({ messageId, to, isSent: ctx.mailer !== null && to !== null });
    },
  }),
  route("PUT /api/admin/email-texts/:kind/draft", {
    ...shared,
    summary:
      "Save the text of an e-mail as a draft, or discard the draft with `text` null; e-mails do not use drafts",
    params: emailParams,
    body: emailChangeSchema,
    response: dataEnvelope(editedEmailSchema),
    responses: { 200: "The text with its draft, which may still have problems", ...conflict },
    handle: (ctx, call) => {
      const text = editableText(ctx, call.params.kind);
      const summary = `Draft of the email ${text.label} ${call.body.text === null ? "discarded" : "saved"}`;
      return changeText(ctx, call, text, { write: saveDraft, summary });
    },
  }),
  route("POST /api/admin/email-texts/:kind/publish", {
    ...shared,
    // The publisher can set links to any site, and shoppers would trust them as the shop's.
    roles: [],
    summary: "Publish the text of an e-mail; `text` null restores the default text",
    params: emailParams,
    body: emailChangeSchema,
    response: dataEnvelope(editedEmailSchema),
    responses: { 200: "The text; publishing the same text again changes nothing", ...conflict },
    async handle(ctx, call) {
      const { text } = call.body;
      const { kind } = call.params;
      const { problems: fields } =
        text === null ? { problems: {} } : await previewEmail(ctx, { kind, text, sample: 0 });
      if (Object.keys(fields).length > 0) return invalidFields(fields);
      const email = editableText(ctx, kind);
      const summary =
        text === null
          ? `Email ${email.label} reset to the default text`
          : `Text of the email ${email.label} published`;
      return changeText(ctx, call, email, { write: publish, summary });
    },
  }),
];

function editableText(ctx: ShopContext, kind: EmailTextKind): EditableText<EmailFieldTexts, EditedEmail> {
  return {
    target: emailText(kind),
    label: `“${findEmailText(kind).name}”`,
    read: () => readEditedEmail(ctx, kind),
  };
}

async function listEmails(ctx: ShopContext) {
  const states = await readTextStates(ctx, emailTextKinds.map(emailText));
  const stateByKind = new Map(emailTextKinds.map((kind, index) => [kind, states[index]]));
  return emailTextGroups.map(({ key, name, texts }) => ({
    key,
    name,
    emails: Object.keys(texts)
      .filter(isEmailTextKind)
      .flatMap((kind) => {
        const { name, when } = findEmailText(kind);
        const state = stateByKind.get(kind);
        return state ? [{ kind, name, when, ...state }] : [];
      }),
  }));
}

/** The data needed to edit a text. */
async function readEditedEmail(ctx: ShopContext, kind: EmailTextKind): Promise<EditedEmail> {
  const { name, when, facts, fields } = findEmailText(kind);
  return {
    kind,
    name,
    when,
    ...(await readEditedText(ctx, emailText(kind))),
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
