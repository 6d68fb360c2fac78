import { useRef } from "react";
import type { ContentText, EditedContent } from "../../../../domain/content/content.ts";
import { contentPages } from "../../../../domain/content/pages.ts";
import { ButtonLink } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { TextArea } from "../../../ui/text-area.tsx";
import { callApi } from "../../api.ts";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { ContentHistory, type Versions } from "./content-history.tsx";
import { ContentPreview, useChecked } from "./content-preview.tsx";
import { PlaceholderSelect } from "./placeholder-select.tsx";
import { TextFrame } from "./text-frame.tsx";
import { useEditedText } from "./use-edited-text.ts";

const fieldNames: Record<keyof ContentText, string> = {
  title: "Title",
  description: "Description for search engines",
  heading: "Heading",
  headingWithoutGiving: "Heading while nothing is given",
  lead: "Lead",
  body: "Text",
};

const words = {
  own: "Shoppers read the standard text, which improves with updates.",
  draft: "shoppers don’t see it yet.",
  atOnce: "Shoppers read it at once.",
  stays: "What shoppers read stays as it is.",
};

/** A text, its placeholders, what it will look like, and what it was. Shoppers see it once it is published. */
export function ContentEditor({
  saved,
  versions,
}: {
  saved: EditedContent;
  versions: Versions<ContentText>;
}) {
  const { key } = saved;
  const { name, path, kind } = contentPages[key];
  const body = useRef<HTMLTextAreaElement>(null);
  /** Where a placeholder goes. */
  const lastField = useRef<HTMLInputElement | HTMLTextAreaElement>(null);
  const draft = useAdminAction("PUT /api/admin/content/:key/draft", { failure: null });
  const publication = useAdminAction("POST /api/admin/content/:key/publish", { failure: null });
  const edited = useEditedText<ContentText>({
    saved,
    name,
    draft: { ...draft, run: (change) => draft.run({ params: { key }, body: change }) },
    publication: { ...publication, run: (change) => publication.run({ params: { key }, body: change }) },
    isSame,
    readers: "Shoppers read it from now on.",
  });
  const { typed } = edited;
  const checked = useChecked(key, typed);
  const problems = checked?.problems ?? {};
  const fields: Record<string, string> = { ...(edited.hasTried ? problems : {}), ...edited.fields };
  const field = edited.fieldsWith(fields);

  /** Facts go into lines as well, the rest into the text alone. */
  function insert(text: string): void {
    const isFact = /^\{\{\w+\}\}$/.test(text);
    const area = (isFact && lastField.current) || body.current;
    if (!area) return;
    area.focus();
    area.setRangeText(text, area.selectionStart ?? 0, area.selectionEnd ?? 0, "end");
    edited.set({ ...typed, [area.name]: area.value });
  }
  const follow = ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => {
    lastField.current = currentTarget;
  };

  return (
    <TextFrame
      name={name}
      saved={saved}
      edited={edited}
      problems={problems}
      warnings={checked?.warnings ?? []}
      words={words}
      inLines={inLines}
      back={{ to: "/admin/content", label: "Pages and policies" }}
      actions={
        <ButtonLink variant="secondary" size="small" to={path} target="_blank">
          Open the page
        </ButtonLink>
      }
      history={
        <ContentHistory
          versions={versions}
          loadOlder={(cursor) =>
            callApi("GET /api/admin/content/:key/versions", { params: { key }, query: { cursor } })
          }
          typed={typed}
          shipped={saved.shipped}
          inLines={inLines}
          empty="Nothing was published yet: shoppers read the standard text."
          onTake={edited.set}
        />
      }
    >
      <div className="grid gap-8 xl:grid-cols-2">
        <div className="grid min-w-0 content-start gap-4">
          <PlaceholderSelect placeholders={saved.placeholders} onChoose={insert} />
          {line("title", 60, kind === "faq" ? undefined : "In the browser’s tab and in search results.")}
          {kind !== "faq" && (
            <>
              {line("heading", 80, "The page’s first line. Left empty, the title.")}
              {key === "story" && line("headingWithoutGiving", 80)}
              {line("lead", 200)}
              {line("description", 160, `${typed.description.length} of 50-160 characters`)}
            </>
          )}
          <TextArea
            ref={body}
            {...field("body")}
            label={fieldNames.body}
            rows={22}
            spellCheck
            onFocus={follow}
            error={fields.body && <span className="whitespace-pre-line">{fields.body}</span>}
            hint={
              kind === "faq"
                ? "## Question, then the answer below. **bold**, [words](/address)"
                : "## Heading, **bold**, [words](/address), - list, - **Name:** words, > large words, --- new section"
            }
          />
        </div>
        <ContentPreview text={typed} checked={checked} />
      </div>
    </TextFrame>
  );

  function line(name: keyof ContentText, max: number, hint?: string) {
    return <Field {...field(name)} label={fieldNames[name]} maxLength={max} onFocus={follow} hint={hint} />;
  }
}

function isSame(one: ContentText, other: ContentText): boolean {
  const whole = ({ body, ...lines }: ContentText) => JSON.stringify({ ...lines, body: body.trim() });
  return whole(one) === whole(other);
}

function inLines({ title, description, heading, headingWithoutGiving, lead, body }: ContentText): string {
  return [title, description, heading, headingWithoutGiving, lead, body].join("\n");
}
