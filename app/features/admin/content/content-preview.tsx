import type { ContentKey, ContentText } from "../../../../domain/content/content.ts";
import { partLabels } from "../../../../domain/content/placeholders.ts";
import type { ApiBody } from "../../../shop-context.ts";
import { callApi } from "../../api.ts";
import { type Parts, Prose } from "../../content/words.tsx";
import { useAnswer } from "../../use-answer.ts";

export type Checked = ApiBody<"POST /api/admin/content/:key/check">["data"];

/** Pause in typing (ms) before the text is checked. */
const pauseMs = 400;

/** The server's check of the edited text; null until the first answer. */
export function useChecked(key: ContentKey, text: ContentText): Checked | null {
  const { body, problem } = useAnswer(
    text,
    (text, signal) =>
      callApi("POST /api/admin/content/:key/check", { params: { key }, body: { text }, signal }),
    pauseMs,
  );
  if (!problem) return body?.data ?? null;
  const { heading, title, lead } = text;
  const nothing = { blocks: [], heading: heading || title, lead, warnings: [] };
  return { ...nothing, ...body?.data, problems: problem.fields };
}

const parts: Parts = Object.fromEntries(
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

/** The text with today's facts. Its links lead nowhere here: what is typed would be lost. */
export function ContentPreview({ text, checked }: { text: ContentText; checked: Checked | null }) {
  const { heading, lead } = checked ?? { heading: text.heading || text.title, lead: text.lead };
  return (
    <section
      aria-labelledby="preview"
      className="grid min-w-0 content-start gap-3 xl:sticky xl:top-6 xl:self-start"
    >
      <h2 id="preview" className="font-sans text-ui font-semibold tracking-normal">
        Preview
      </h2>
      <div
        className="rounded-md border border-line bg-paper p-5 wrap-anywhere xl:max-h-[calc(100svh-12rem)] xl:overflow-auto"
        onClickCapture={(event) => {
          if (event.target instanceof Element && event.target.closest("a")) {
            event.preventDefault();
            event.stopPropagation();
          }
        }}
      >
        <p className="type-display text-h3">{heading}</p>
        {lead !== "" && <p className="mt-2 mb-6 text-ink-muted">{lead}</p>}
        {checked === null ? (
          <p className="text-small text-ink-muted">Loading the preview …</p>
        ) : (
          <Prose blocks={checked.blocks} parts={parts} />
        )}
      </div>
    </section>
  );
}
