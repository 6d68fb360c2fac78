import { useRef } from "react";
import { data } from "react-router";
import type { ContentKey, ContentText, EditedContent } from "../../domain/content/content.ts";
import { contentPages } from "../../domain/content/pages.ts";
import { partLabels } from "../../domain/content/placeholders.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import type { Versions } from "../features/admin/content/content-history.tsx";
import { MarkupHelp } from "../features/admin/content/markup-help.tsx";
import { PreviewPane } from "../features/admin/content/preview-pane.tsx";
import { TextFrame } from "../features/admin/content/text-frame.tsx";
import { useEditedText } from "../features/admin/content/use-edited-text.ts";
import { problemPage } from "../features/admin/kit/admin-page.tsx";
import { Loading } from "../features/admin/kit/loading.tsx";
import { useAdminAction } from "../features/admin/kit/use-admin-action.ts";
import { ChooseFounderPicture } from "../features/admin/settings/founder-picture.tsx";
import { callApi } from "../features/api.ts";
import { type Parts, Prose } from "../features/content/blocks.tsx";
import { useApiResult } from "../features/use-api-result.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { ApiBody } from "../shop-context.ts";
import { ButtonLink } from "../ui/button.tsx";
import { Field, SelectBox, TextArea } from "../ui/field.tsx";
import type { Route } from "./+types/admin-content-text";

export const meta: Route.MetaFunction = (args) =>
  privatePageMeta(args, args.loaderData ? contentPages[args.loaderData.text.key].name : "Pages and policies");

export const loader = adminLoader(async ({ params }: Route.LoaderArgs, read) => {
  // The first call, because it checks the session.
  const { data: texts } = await read("GET /api/admin/content");
  const page = texts.find(({ key }) => key === params.key);
  if (!page) throw data({ message: "No page has this name." }, { status: 404 });
  const [text, versions] = await Promise.all([
    read("GET /api/admin/content/:key", { params: { key: page.key } }),
    read("GET /api/admin/content/:key/versions", { params: { key: page.key } }),
  ]);
  return { text: text.data, versions };
});

export default function AdminContentText({ loaderData: { text, versions } }: Route.ComponentProps) {
  return <ContentEditor key={text.key} saved={text} versions={versions} />;
}

export const ErrorBoundary = problemPage("Pages and policies", "Failed to load the text");

const fieldNames: Record<keyof ContentText, string> = {
  title: "Title",
  description: "Description for search engines",
  heading: "Heading",
  headingWithoutGiving: "Heading while no share is donated",
  lead: "Lead",
  body: "Text",
};

const stateTexts = {
  standardInUse: "You’re using our standard text; it improves with updates.",
  draftUnpublished: "shoppers don’t see it yet.",
  publishEffect: "Shoppers read it at once.",
  discardEffect: "Shoppers still read the current text.",
  historyEmpty: "Nothing was published yet: shoppers read the standard text.",
};

const faqSigns = [["## Question", "with its answer below"], "**bold**", "[words](/address)"] as const;
const questionSigns = ["# Group of questions", ...faqSigns, "- list"] as const;
const pageSigns = [
  "## Heading",
  "**bold**",
  "[words](/address)",
  "- list",
  "- **Name:** words",
  "> large words",
  ["---", "new section"],
] as const;

/** Edits a text, with its placeholders, preview and history. Shoppers see it once it is published. */
function ContentEditor({ saved, versions }: { saved: EditedContent; versions: Versions<ContentText> }) {
  const { key } = saved;
  const { name, path, kind } = contentPages[key];
  const body = useRef<HTMLTextAreaElement>(null);
  /** The field into which a placeholder is inserted. */
  const lastField = useRef<HTMLInputElement | HTMLTextAreaElement>(null);
  const draft = useAdminAction("PUT /api/admin/content/:key/draft", { failure: null });
  const publication = useAdminAction("POST /api/admin/content/:key/publish", { failure: null });
  const editor = useEditedText<ContentText>({
    saved,
    name,
    draft: { ...draft, run: (change) => draft.run({ params: { key }, body: change }) },
    publication: { ...publication, run: (change) => publication.run({ params: { key }, body: change }) },
    isSame,
    publishEffect: "Shoppers read it from now on.",
  });
  const { editedText } = editor;
  const contentCheck = useContentCheck(key, editedText);
  const problems = contentCheck?.problems ?? {};
  const fields: Record<string, string> = { ...(editor.hasTriedToPublish ? problems : {}), ...editor.fields };
  const field = editor.fieldsWith(fields);

  /** Facts may be inserted into single-line fields, other placeholders only into the text. */
  function insert(text: string): void {
    const isFact = /^\{\{\w+\}\}$/.test(text);
    const area = (isFact && lastField.current) || body.current;
    if (!area) return;
    area.focus();
    area.setRangeText(text, area.selectionStart ?? 0, area.selectionEnd ?? 0, "end");
    editor.set({ ...editedText, [area.name]: area.value });
  }
  const rememberField = ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => {
    lastField.current = currentTarget;
  };

  return (
    <TextFrame
      name={name}
      saved={saved}
      versions={versions}
      loadOlder={(cursor) =>
        callApi("GET /api/admin/content/:key/versions", { params: { key }, query: { cursor } })
      }
      editor={editor}
      problems={problems}
      warnings={contentCheck?.warnings ?? []}
      stateTexts={stateTexts}
      toPlainText={toPlainText}
      back={{ to: "/admin/content", label: "Texts" }}
      actions={
        <>
          {key === "story" && <ChooseFounderPicture label="Founder’s photograph" />}
          <ButtonLink variant="secondary" size="small" to={path} target="_blank">
            Open the page
          </ButtonLink>
        </>
      }
    >
      <div className="grid gap-8 xl:grid-cols-2">
        <div className="grid min-w-0 content-start gap-4">
          <PlaceholderSelect placeholders={saved.placeholders} onChoose={insert} />
          {line("title", 60, kind === "faq" ? undefined : "In the browser’s tab and in search results.")}
          {kind !== "faq" && (
            <>
              {line("heading", 80, "The page’s first line. If empty, the title is used.")}
              {key === "story" && line("headingWithoutGiving", 80)}
              {line("lead", 200)}
              {line("description", 160, `${editedText.description.length} of 50-160 characters`)}
            </>
          )}
          <TextArea
            ref={body}
            {...field("body")}
            label={fieldNames.body}
            rows={22}
            spellCheck
            onFocus={rememberField}
            error={fields.body && <span className="whitespace-pre-line">{fields.body}</span>}
            hint={
              <MarkupHelp
                signs={kind === "faq" ? faqSigns : key === "questions" ? questionSigns : pageSigns}
              />
            }
          />
        </div>
        <ContentPreview text={editedText} contentCheck={contentCheck} />
      </div>
    </TextFrame>
  );

  function line(name: keyof ContentText, max: number, hint?: string) {
    return (
      <Field {...field(name)} label={fieldNames[name]} maxLength={max} onFocus={rememberField} hint={hint} />
    );
  }
}

function isSame(a: ContentText, b: ContentText): boolean {
  const comparable = ({ body, ...lines }: ContentText) => JSON.stringify({ ...lines, body: body.trim() });
  return comparable(a) === comparable(b);
}

function toPlainText({ title, description, heading, headingWithoutGiving, lead, body }: ContentText): string {
  return [title, description, heading, headingWithoutGiving, lead, body].join("\n");
}

type ContentCheck = ApiBody<"POST /api/admin/content/:key/check">["data"];

/** Pause in typing (ms) before the text is checked. */
const debounceMs = 400;

/** The server's check of the edited text; null until the first response. */
function useContentCheck(key: ContentKey, text: ContentText): ContentCheck | null {
  const { body, problem } = useApiResult(
    text,
    (text, signal) =>
      callApi("POST /api/admin/content/:key/check", { params: { key }, body: { text }, signal }),
    debounceMs,
  );
  if (!problem) return body?.data ?? null;
  const { heading, title, lead } = text;
  const emptyCheck = { blocks: [], heading: heading || title, lead, warnings: [] };
  return { ...emptyCheck, ...body?.data, problems: problem.fields };
}

const partPlaceholders: Parts = Object.fromEntries(
  Object.entries(partLabels).map(([name, label]) => [
    name,
    <p
      key={name}
      className="rounded-sm border border-dashed border-line-strong p-4 text-center text-small text-ink-muted"
    >
      {label}
    </p>,
  ]),
);

/** Preview of the text with its facts filled in. Links are disabled, because following one would lose the edits. */
function ContentPreview({ text, contentCheck }: { text: ContentText; contentCheck: ContentCheck | null }) {
  const { heading, lead } = contentCheck ?? { heading: text.heading || text.title, lead: text.lead };
  return (
    <PreviewPane>
      <section
        aria-label="Text as shoppers read it"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        tabIndex={0}
        className="rounded-md border border-line bg-paper p-5 wrap-anywhere xl:max-h-[calc(100svh-12rem)] xl:overflow-auto"
        onClickCapture={(event) => {
          if (event.target instanceof Element && event.target.closest("a")) {
            event.preventDefault();
            event.stopPropagation();
          }
        }}
      >
        <header className="mb-6 grid gap-2">
          <h3 className="type-display text-[1.875rem] leading-[1.12]">{heading}</h3>
          {lead !== "" && <p className="text-ink-muted">{lead}</p>}
        </header>
        {contentCheck === null ? (
          <Loading className="h-80" />
        ) : (
          <Prose blocks={contentCheck.blocks} parts={partPlaceholders} />
        )}
      </section>
    </PreviewPane>
  );
}

type Placeholder = EditedContent["placeholders"][number];

const groups: { kind: Placeholder["kind"]; label: string }[] = [
  { kind: "fact", label: "Facts that follow your settings" },
  { kind: "part", label: "Parts, in a paragraph of their own" },
  { kind: "condition", label: "Text shown only sometimes" },
];

/** Inserts a placeholder at the cursor. */
function PlaceholderSelect({
  placeholders,
  onChoose,
}: {
  placeholders: readonly Placeholder[];
  onChoose: (text: string) => void;
}) {
  return (
    <SelectBox
      aria-label="Insert a placeholder"
      className="min-h-11! py-2!"
      value=""
      onChange={({ target }) => {
        const placeholder = placeholders.find(({ name }) => name === target.value);
        if (placeholder) onChoose(inBraces(placeholder));
      }}
    >
      <option value="">Insert a placeholder …</option>
      {groups.map(({ kind, label }) => (
        <optgroup key={kind} label={label}>
          {placeholders
            .filter((placeholder) => placeholder.kind === kind)
            .map((placeholder) => (
              <option key={placeholder.name} value={placeholder.name}>
                {placeholder.label}
                {placeholder.kind === "fact" && `: ${shorten(placeholder.value ?? "nothing at present")}`}
              </option>
            ))}
        </optgroup>
      ))}
    </SelectBox>
  );
}

function inBraces({ name, kind }: Placeholder): string {
  if (kind === "part") return `\n\n{{${name}}}\n\n`;
  return kind === "condition" ? `{{#${name}}} … {{/${name}}}` : `{{${name}}}`;
}

const shorten = (text: string) => (text.length > 48 ? `${text.slice(0, 47)}…` : text);
