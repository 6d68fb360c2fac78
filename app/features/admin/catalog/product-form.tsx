import { type FormEvent, useEffect, useRef } from "react";
import { useRevalidator } from "react-router";
import type { AdminProduct } from "../../../../domain/catalog/product-admin.ts";
import { sizedName } from "../../../../domain/catalog/size-name.ts";
import { Banner } from "../../../ui/error-banner.tsx";
import { FieldLinks } from "../../../ui/field.tsx";
import { callApi } from "../../api.ts";
import { productPage } from "../../catalog/product-meta.ts";
import { ConflictPanel } from "../kit/conflict-panel.tsx";
import { SaveBar } from "../kit/save-bar.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { useSavedForm } from "../kit/use-saved-form.ts";
import { draftKey, fieldNames, inWords, savedTexts } from "./product-texts.ts";
import { TextFields } from "./text-fields.tsx";

/** The texts of a product. Changes that others save during editing are neither lost nor overwritten without notice. */
export function ProductForm({ product }: { product: AdminProduct }) {
  const action = useAdminAction("PATCH /api/admin/products/:id", { failure: null });
  const form = useSavedForm(savedTexts(product), {
    problems: action.fields,
    storageKey: draftKey(product.id),
  });
  const { revalidate } = useRevalidator();
  const summary = useRef<HTMLDivElement>(null);

  const hasConflicts = form.conflicts.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each problem takes the focus, even one with the same text
  useEffect(() => {
    if (action.problem) summary.current?.focus();
  }, [action.problem, hasConflicts]);

  async function save(event: FormEvent) {
    event.preventDefault();
    if (action.busy || !form.isDirty) return;
    // The save bar is always in view; the conflicts to settle first may be far above it.
    if (hasConflicts) return summary.current?.focus();
    const params = { id: product.id };
    const answer = await action.perform(
      async () => {
        const sent = await form.send(
          (revision) =>
            callApi("PATCH /api/admin/products/:id", { params, body: { ...form.changes, revision } }),
          savedTexts,
        );
        if (sent.ok) form.reset(savedTexts(sent.body.data));
        return sent;
      },
      { success: { title: "Product saved", description: "The shop shows it at once." } },
    );
    if (!answer.ok && answer.problem.current !== undefined) await revalidate();
  }

  const problems = action.fields;
  const links = Object.entries(problems).map(([controlId, problem]) => ({ controlId, problem }));
  return (
    <form noValidate onSubmit={save}>
      <div className="grid gap-6">
        {form.isRestored && (
          <Banner tone="info" title="What you had typed is back.">
            It is not saved yet: save it, or discard it.
          </Banner>
        )}
        <ConflictPanel
          ref={summary}
          conflicts={form.conflicts.map(({ name, theirs, mine }) => ({
            name,
            label: fieldNames[name],
            theirs: inWords(theirs),
            mine: inWords(mine),
          }))}
          onSettle={(name, choice) => {
            form.settle([name], choice);
            action.clearProblem();
            // The focused button disappears with the conflict.
            document.getElementById(name)?.focus();
          }}
        />
        {links.length > 0 && (
          <Banner ref={summary} tabIndex={-1} className="scroll-my-24" title="Please check these fields">
            <FieldLinks links={links} />
          </Banner>
        )}
        {action.problem && links.length === 0 && !hasConflicts && (
          <Banner ref={summary} tabIndex={-1} className="scroll-my-24" title="The product was not saved.">
            {action.problem.message}
          </Banner>
        )}
        <TextFields
          form={form}
          problems={problems}
          formerSlugs={product.formerSlugs}
          family={product.family}
        />
        <SearchPreview
          product={{
            ...product,
            ...form.values,
            name: product.family ? sizedName(form.values) : form.values.name,
          }}
        />
      </div>
      <SaveBar
        isDirty={form.isDirty}
        busy={action.busy}
        words={hasConflicts ? "Choose which version to keep first" : "Unsaved changes"}
        onDiscard={() => {
          form.reset();
          action.clearProblem();
        }}
      />
    </form>
  );
}

/** Preview of the page's title and description in search results and link previews. */
function SearchPreview({ product }: { product: AdminProduct }) {
  const { title, description, path } = productPage({ ...product, stock: null });
  return (
    <div className="rounded-sm bg-cream-soft p-4">
      <p className="mb-1.5 text-caption font-semibold text-ink-muted">In search results</p>
      <p className="text-ui font-medium wrap-anywhere text-link">{title}</p>
      <p className="text-caption wrap-anywhere text-ink-muted">{path}</p>
      <p className="mt-1 text-small wrap-anywhere">{description}</p>
    </div>
  );
}
