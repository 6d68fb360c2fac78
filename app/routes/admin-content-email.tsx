import { useRef, useState } from "react";
import { data } from "react-router";
import type { EditedEmail, EmailFieldTexts } from "../../domain/content/emails/email-edit.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import type { Versions } from "../features/admin/content/content-history.tsx";
import { EmailPreview, useEmailCheck } from "../features/admin/content/email-preview.tsx";
import { TextFrame } from "../features/admin/content/text-frame.tsx";
import { useEditedText } from "../features/admin/content/use-edited-text.ts";
import { PanelButton } from "../features/admin/kit/action-button.tsx";
import { problemPage } from "../features/admin/kit/admin-page.tsx";
import { useAdminAction } from "../features/admin/kit/use-admin-action.ts";
import { May } from "../features/admin/rights.ts";
import { callApi } from "../features/api.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { Field, Options, SelectBox, TextArea } from "../ui/field.tsx";
import { toast } from "../ui/toast.tsx";
import type { Route } from "./+types/admin-content-email";

export const meta: Route.MetaFunction = (args) =>
  privatePageMeta(args, args.loaderData?.text.name ?? "Emails");

export const loader = adminLoader(async ({ params }: Route.LoaderArgs, read) => {
  // The first call, because it checks the session.
  const { data: groups } = await read("GET /api/admin/email-texts");
  const email = groups.flatMap(({ emails }) => emails).find(({ kind }) => kind === params.kind);
  if (!email) throw data({ message: "No email has this name." }, { status: 404 });
  const { kind } = email;
  const [text, versions] = await Promise.all([
    read("GET /api/admin/email-texts/:kind", { params: { kind } }),
    read("GET /api/admin/email-texts/:kind/versions", { params: { kind } }),
  ]);
  return { text: text.data, versions };
});

export default function AdminContentEmail({ loaderData: { text, versions } }: Route.ComponentProps) {
  return <EmailEditor key={text.kind} saved={text} versions={versions} />;
}

export const ErrorBoundary = problemPage("Emails", "Failed to load the text");

const stateTexts = {
  standardInUse: "The standard text is sent, which improves with updates.",
  draftUnpublished: "it is not sent yet.",
  publishEffect: "The next email has it.",
  discardEffect: "The current text is still sent.",
  historyEmpty: "Nothing was published yet: the standard text is sent.",
};

type EmailField = EditedEmail["fields"][number];

/** Edits the text of an e-mail, with a preview and a button that sends the owner a test. */
function EmailEditor({ saved, versions }: { saved: EditedEmail; versions: Versions<EmailFieldTexts> }) {
  const { kind, name } = saved;
  const [sample, setSample] = useState(0);
  const lastField = useRef<HTMLInputElement | HTMLTextAreaElement>(null);
  const draft = useAdminAction("PUT /api/admin/email-texts/:kind/draft", { failure: null });
  const publication = useAdminAction("POST /api/admin/email-texts/:kind/publish", { failure: null });
  const test = useAdminAction("POST /api/admin/email-texts/:kind/test", {
    failure: "The test was not sent",
  });
  const editor = useEditedText<EmailFieldTexts>({
    saved,
    name,
    draft: { ...draft, run: (body) => draft.run({ params: { kind }, body }) },
    publication: { ...publication, run: (body) => publication.run({ params: { kind }, body }) },
    isSame,
    publishEffect: "The next email has it.",
  });
  const { editedText } = editor;
  const emailCheck = useEmailCheck(kind, editedText, sample);
  const problems = emailCheck?.problems ?? {};
  // Unknown placeholders and overlong texts are reported immediately, because there is no preview until they are fixed.
  const fields: Record<string, string> = { ...problems, ...editor.fields };
  const fieldAt = editor.fieldsWith(fields);

  const toPlainText = (text: EmailFieldTexts) =>
    saved.fields.map(({ name, label }) => (text[name] ? `${label}: ${text[name]}` : "")).join("\n");

  function insert(fact: string): void {
    const input = lastField.current;
    if (!input) return;
    input.focus();
    input.setRangeText(`{{${fact}}}`, input.selectionStart ?? 0, input.selectionEnd ?? 0, "end");
    editor.set({ ...editedText, [input.name]: input.value });
  }

  async function sendTest(): Promise<void> {
    const response = await test.run({ params: { kind }, body: { text: editedText, sample } });
    if (!response.ok) return;
    const { to, isSent } = response.body.data;
    toast(
      isSent
        ? { title: "Test on its way", description: `It goes to ${to}.` }
        : {
            title: "Kept, not sent",
            description: `${to === null ? "Your email address is not" : "No mail server is"} set: the test is under Messages, Sent.`,
          },
    );
  }

  return (
    <TextFrame
      name={name}
      saved={saved}
      versions={versions}
      loadOlder={(cursor) =>
        callApi("GET /api/admin/email-texts/:kind/versions", { params: { kind }, query: { cursor } })
      }
      editor={editor}
      problems={problems}
      warnings={emailCheck?.warnings ?? []}
      lead={`Sent when ${saved.when.charAt(0).toLowerCase()}${saved.when.slice(1)}.`}
      stateTexts={stateTexts}
      toPlainText={toPlainText}
      back={{ to: "/admin/content/emails", label: "Emails" }}
      actions={
        <May call="POST /api/admin/email-texts/:kind/test">
          <PanelButton
            busy={test.busy}
            busyText="Sending..."
            disabled={Object.keys(problems).length > 0}
            onClick={() => void sendTest()}
          >
            Send me a test
          </PanelButton>
        </May>
      }
    >
      <div className="grid gap-8 xl:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
        <div className="grid min-w-0 content-start gap-4">
          <SelectBox
            aria-label="Insert a placeholder"
            className="min-h-11! py-2!"
            value=""
            onChange={({ target }) => insert(target.value)}
          >
            <option value="">Insert a placeholder …</option>
            <Options of={saved.facts.map(({ name, label }) => [name, label])} />
          </SelectBox>
          {saved.fields.map(field)}
        </div>
        <EmailPreview check={emailCheck} samples={saved.samples} sample={sample} onSample={setSample} />
      </div>
    </TextFrame>
  );

  function field({ name, label, hint, kind, isOptional, needs }: EmailField) {
    const value = editedText[name] ?? "";
    const error = fields[name] && <span className="whitespace-pre-line">{fields[name]}</span>;
    const fieldProps = {
      ...fieldAt(name),
      label,
      optional: isOptional,
      value,
      error,
      hint: [hint, needs.length > 0 && `Must name ${needs.map((fact) => `{{${fact}}}`).join(", ")}.`]
        .filter(Boolean)
        .join(" "),
      spellCheck: true,
      onFocus: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => {
        lastField.current = currentTarget;
      },
    };
    if (kind === "line") return <Field key={name} {...fieldProps} />;
    const rows = Math.min(10, Math.max(2, Math.ceil(value.length / 60) + value.split("\n").length - 1));
    return <TextArea key={name} {...fieldProps} rows={rows} />;
  }
}

function isSame(a: EmailFieldTexts, b: EmailFieldTexts): boolean {
  return Object.keys({ ...a, ...b }).every((name) => (a[name] ?? "").trim() === (b[name] ?? "").trim());
}
