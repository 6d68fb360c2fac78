import { useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import type { ContentText, EditedContent } from "../../../../domain/content/content.ts";
import { contentPages } from "../../../../domain/content/pages.ts";
import { Button, ButtonLink } from "../../../ui/button.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { Field } from "../../../ui/field.tsx";
import { TextArea } from "../../../ui/text-area.tsx";
import { toast } from "../../../ui/toast.tsx";
import { AdminPage } from "../kit/admin-page.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { LeaveGuard } from "../kit/leave-guard.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { ContentHistory, type Versions } from "./content-history.tsx";
import { ContentPreview, useChecked } from "./content-preview.tsx";
import { DifferenceView } from "./difference-view.tsx";
import { PlaceholderSelect } from "./placeholder-select.tsx";

const fieldNames: Record<keyof ContentText, string> = {
  title: "Title",
  description: "Description for search engines",
  heading: "Heading",
  headingWithoutGiving: "Heading while nothing is given",
  lead: "Lead",
  body: "Text",
};

/** A text, its placeholders, what it will look like, and what it was. Shoppers see it once it is published. */
export function ContentEditor({ saved, versions }: { saved: EditedContent; versions: Versions }) {
  const { key } = saved;
  const { name, path, kind } = contentPages[key];
  const kept = saved.draft?.text ?? saved.text;
  const [typed, setTyped] = useState(kept);
  /** What the typed text began from. */
  const [base, setBase] = useState({ revision: saved.revision, text: kept });
  const [asks, setAsks] = useState<"publish" | "discard" | "shipped" | null>(null);
  const [hasTried, setTried] = useState(false);
  const body = useRef<HTMLTextAreaElement>(null);
  const alert = useRef<HTMLDivElement>(null);
  const { revalidate } = useRevalidator();
  const draft = useAdminAction("PUT /api/admin/content/:key/draft", { failure: null });
  const publication = useAdminAction("POST /api/admin/content/:key/publish", { failure: null });
  const checked = useChecked(key, typed);

  const isDirty = !isSame(typed, base.text);
  const isOvertaken = saved.revision !== base.revision && !draft.busy && !publication.busy;
  // Whoever has typed nothing follows what others save.
  if (isOvertaken && (!isDirty || isSame(typed, kept))) follow(saved, true);
  const isInConflict = isOvertaken && isDirty && !isSame(typed, kept);
  const busy = draft.busy || publication.busy;
  const failure = publication.problem ?? draft.problem;
  const fields = { ...(hasTried ? checked?.problems : {}), ...publication.fields, ...draft.fields };
  const isDifferent = saved.draft !== null || !isSame(typed, saved.text);

  useEffect(() => {
    if (isInConflict || failure) alert.current?.focus();
  }, [isInConflict, failure]);

  function follow(current: EditedContent, withText: boolean): void {
    const text = current.draft?.text ?? current.text;
    setBase({ revision: current.revision, text });
    if (withText) setTyped(text);
  }

  const set = (field: keyof ContentText) => (event: { target: { value: string } }) => {
    publication.forget();
    draft.forget();
    setTyped({ ...typed, [field]: event.target.value });
  };

  function insert(text: string): void {
    const area = body.current;
    if (!area) return;
    area.focus();
    area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
    setTyped({ ...typed, body: area.value });
  }

  async function saveDraft(text: ContentText | null): Promise<void> {
    publication.forget();
    const answer = await draft.run({
      params: { key },
      body: { revision: base.revision, text },
      success: { title: text === null ? "Draft discarded" : "Draft saved" },
    });
    // What is typed while it is being saved stays.
    if (answer.ok) follow(answer.body.data, text === null);
    else if (answer.problem.status === 409) await revalidate();
  }

  async function publish(text: ContentText | null): Promise<void> {
    draft.forget();
    setTried(true);
    const before = saved.published ? saved.text : null;
    const answer = await publication.run({ params: { key }, body: { revision: base.revision, text } });
    setAsks(null);
    if (!answer.ok) {
      if (answer.problem.status === 409) await revalidate();
      return;
    }
    const { data } = answer.body;
    follow(data, text === null);
    setTried(false);
    toast({
      title: text === null ? "The shop’s own text is shown" : `${name} published`,
      description: "Shoppers read it from now on.",
      durationMs: 10_000,
      action: { label: "Undo", run: () => void undo(data.revision, before, data.text) },
    });
  }

  async function undo(
    revision: number | null,
    text: ContentText | null,
    published: ContentText,
  ): Promise<void> {
    const answer = await publication.run({ params: { key }, body: { revision, text } });
    if (!answer.ok) return;
    const { data } = answer.body;
    follow(data, false);
    setTyped((now) => (isSame(now, published) ? data.text : now));
    toast({ title: "Undone", description: "The text before is shown again." });
  }

  function askToPublish(): void {
    setTried(true);
    if (Object.keys(checked?.problems ?? {}).length > 0) focusFirst();
    else if (checked && checked.warnings.length > 0) setAsks("publish");
    else void publish(typed);
  }
  function focusFirst(): void {
    const [field] = Object.keys(checked?.problems ?? {});
    if (field) document.getElementById(field)?.focus();
  }

  return (
    <AdminPage
      title={name}
      back={{ to: "/admin/content", label: "Pages and policies" }}
      actions={
        <ButtonLink variant="secondary" size="small" to={path} target="_blank">
          Open the page
        </ButtonLink>
      }
    >
      <p className="mb-5 text-small text-ink-muted">
        {saved.published ? (
          <>
            Published by {saved.published.by}, <ShortDay iso={saved.published.at} withTime />.
          </>
        ) : (
          "Shoppers read the shop’s own text, which gets better with updates."
        )}{" "}
        {saved.draft && (
          <>
            Below is a draft by {saved.draft.by}, <ShortDay iso={saved.draft.at} withTime />: shoppers don’t
            see it yet.
          </>
        )}
      </p>
      {isInConflict && (
        <Banner
          ref={alert}
          tabIndex={-1}
          tone="warning"
          role="alert"
          className="mb-5"
          title="Changed meanwhile, in another window or by somebody else."
        >
          Nothing was saved, and nothing of yours is lost. What your text would change in theirs:
          <div className="mt-3 grid gap-3">
            <DifferenceView before={kept} after={typed} />
            <div className="flex flex-wrap gap-2">
              <Button variant="secondary" size="small" onClick={() => follow(saved, true)}>
                Use theirs
              </Button>
              <Button variant="secondary" size="small" onClick={() => follow(saved, false)}>
                Keep mine and go on
              </Button>
            </div>
          </div>
        </Banner>
      )}
      {failure && failure.status !== 409 && (
        <Banner ref={alert} tabIndex={-1} className="mb-5" title="Nothing was saved.">
          {failure.message}
        </Banner>
      )}
      {saved.isShippedNewer && (
        <Banner tone="info" className="mb-5" title="An update brought a new text of the shop’s own.">
          Yours stays as it is until you change it. What the new one would change in yours:
          <div className="mt-3 grid justify-items-start gap-3 *:w-full">
            <DifferenceView before={saved.text} after={saved.shipped} />
            {!isDifferent && (
              <div className="flex flex-wrap gap-2">
                <Button variant="secondary" size="small" disabled={busy} onClick={() => setAsks("shipped")}>
                  Use the new one
                </Button>
                <Button
                  variant="secondary"
                  size="small"
                  disabled={busy}
                  onClick={() => void publish(saved.text)}
                >
                  Keep mine
                </Button>
              </div>
            )}
          </div>
        </Banner>
      )}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy && !isInConflict && isDifferent) askToPublish();
        }}
      >
        <div className="grid gap-8 xl:grid-cols-2">
          <div className="grid min-w-0 content-start gap-4">
            {line("title", 60, kind === "faq" ? undefined : "In the browser’s tab and in search results.")}
            {kind !== "faq" && (
              <>
                {line("heading", 80, "The page’s first line. Left empty, the title.")}
                {key === "story" && line("headingWithoutGiving", 80)}
                {line("lead", 200)}
                {line("description", 160, `${typed.description.length} of 50-160 characters`)}
              </>
            )}
            <div className="grid gap-2">
              <PlaceholderSelect placeholders={saved.placeholders} onChoose={insert} />
              <TextArea
                ref={body}
                name="body"
                label={fieldNames.body}
                rows={22}
                spellCheck
                value={typed.body}
                onChange={set("body")}
                error={fields.body && <span className="whitespace-pre-line">{fields.body}</span>}
                hint={
                  kind === "faq"
                    ? "## Question, then the answer below. **bold**, [words](/address)"
                    : "## Heading, **bold**, [words](/address), - list, - **Name:** words, > large words, --- new section"
                }
              />
            </div>
          </div>
          <ContentPreview text={typed} blocks={checked?.blocks ?? null} />
        </div>
        {checked && checked.warnings.length > 0 && (
          <Banner tone="warning" className="mt-6" title="Before you publish">
            <Warnings warnings={checked.warnings} />
          </Banner>
        )}
        <div className="sticky bottom-(--admin-bar-h) z-(--z-sticky) mt-6 -mx-(--gutter) flex flex-wrap items-center gap-2 border-t border-line bg-paper px-(--gutter) py-3 shadow-bar md:mx-0 md:rounded-md md:px-5">
          <span className="mr-auto text-small text-ink-muted max-sm:sr-only" role="status">
            {isDirty ? "Unsaved changes" : saved.draft ? "Draft saved, not published" : "No changes"}
          </span>
          {(isDirty || saved.draft) && (
            <Button variant="quiet" size="small" disabled={busy} onClick={() => setAsks("discard")}>
              Discard
            </Button>
          )}
          <Button
            variant="secondary"
            size="small"
            disabled={!isDirty || busy || isInConflict}
            onClick={() => void saveDraft(typed)}
          >
            Save draft
          </Button>
          <Button
            type="submit"
            size="small"
            busy={publication.busy}
            busyText="Publishing..."
            disabled={!isDifferent || isInConflict || draft.busy}
          >
            Publish
          </Button>
        </div>
      </form>
      <LeaveGuard isDirty={isDirty} />
      <ContentHistory
        textKey={key}
        versions={versions}
        typed={typed}
        shipped={saved.shipped}
        onTake={setTyped}
      />
      {saved.published && !isDirty && (
        <Button
          variant="quiet"
          size="small"
          className="mt-4 -ml-3"
          disabled={busy || isInConflict}
          onClick={() => setAsks("shipped")}
        >
          Go back to the shop’s own text
        </Button>
      )}
      <ConfirmDialog
        open={asks === "publish"}
        onClose={() => setAsks(null)}
        title={`Publish “${name}”?`}
        description="Shoppers read it at once."
        confirmLabel="Publish all the same"
        busyText="Publishing..."
        busy={publication.busy}
        danger={false}
        onConfirm={() => void publish(typed)}
      >
        <Warnings warnings={checked?.warnings ?? []} />
      </ConfirmDialog>
      <ConfirmDialog
        open={asks === "discard"}
        onClose={() => setAsks(null)}
        title="Discard your changes?"
        description="What shoppers read stays as it is."
        confirmLabel="Discard"
        busyText="Discarding..."
        busy={draft.busy}
        onConfirm={async () => {
          if (saved.draft) await saveDraft(null);
          else follow(saved, true);
          setAsks(null);
        }}
      />
      <ConfirmDialog
        open={asks === "shipped"}
        onClose={() => setAsks(null)}
        title="Show the shop’s own text?"
        description={`Your text of “${name}” stays in the history${saved.draft ? "; its draft is discarded" : ""}.`}
        confirmLabel="Show the shop’s own text"
        busyText="Publishing..."
        busy={publication.busy}
        danger={false}
        onConfirm={() => void publish(null)}
      />
    </AdminPage>
  );

  function line(field: keyof ContentText, max: number, hint?: string) {
    return (
      <Field
        name={field}
        label={fieldNames[field]}
        maxLength={max}
        value={typed[field]}
        onChange={set(field)}
        error={fields[field]}
        hint={hint}
      />
    );
  }
}

function Warnings({ warnings }: { warnings: readonly string[] }) {
  return (
    <ul className="mt-2 grid list-disc gap-1 pl-5 text-small wrap-anywhere">
      {warnings.map((warning) => (
        <li key={warning}>{warning}</li>
      ))}
    </ul>
  );
}

function isSame(one: ContentText, other: ContentText): boolean {
  const whole = ({ body, ...lines }: ContentText) => JSON.stringify({ ...lines, body: body.trim() });
  return whole(one) === whole(other);
}
