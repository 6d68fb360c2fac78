import { type FormEvent, useEffect, useRef } from "react";
import { useRevalidator } from "react-router";
import type { AdminProduct } from "../../../../domain/catalog/product-admin.ts";
import { sizedName } from "../../../../domain/catalog/size-name.ts";
import { Banner } from "../../../ui/error-banner.tsx";
import { FieldLinks } from "../../../ui/field-links.tsx";
import { callApi } from "../../api.ts";
import { ConflictPanel } from "../kit/conflict-panel.tsx";
import { SaveBar } from "../kit/save-bar.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { fieldNames, inWords } from "./field-names.ts";
import { asWritten, rebase } from "./product-draft.ts";
import { SearchPreview } from "./search-preview.tsx";
import { TextFields } from "./text-fields.tsx";
import { useProductDraft } from "./use-product-draft.ts";

/** The words of a product. What somebody else saves meanwhile is neither lost nor overwritten unseen. */
export function ProductForm({ product }: { product: AdminProduct }) {
  const draft = useProductDraft(product);
  const action = useAdminAction("PATCH /api/admin/products/:id", { failure: null });
  const { revalidate } = useRevalidator();
  const summary = useRef<HTMLDivElement>(null);

  const hasConflicts = draft.conflicts.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each problem is told, even in the same words
  useEffect(() => {
    if (action.problem) summary.current?.focus();
  }, [action.problem, hasConflicts]);

  async function save(event: FormEvent) {
    event.preventDefault();
    if (action.busy || !draft.isDirty) return;
    // The bar is in sight everywhere; what is to be decided first may be far above it.
    if (hasConflicts) return summary.current?.focus();
    const send = (revision: number) =>
      callApi("PATCH /api/admin/products/:id", {
        params: { id: product.id },
        body: { ...draft.changes, revision },
      });
    const answer = await action.perform(
      async () => {
        let sent = await send(draft.revision);
        const current = sent.ok ? undefined : (sent.problem.current as AdminProduct | undefined);
        // Others have changed only what is not changed here: nothing of theirs is lost.
        if (current && rebase(draft.draft, asWritten(current)).conflicts.length === 0)
          sent = await send(current.revision);
        if (sent.ok) draft.reset(sent.body.data);
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
        {draft.isRestored && (
          <Banner tone="info" title="What you had typed is back.">
            It is not saved yet: save it, or discard it.
          </Banner>
        )}
        <ConflictPanel
          ref={summary}
          conflicts={draft.conflicts.map(({ field, theirs, mine }) => ({
            name: field,
            label: fieldNames[field],
            theirs: inWords(theirs),
            mine: inWords(mine),
          }))}
          onSettle={(field, choice) => {
            draft.settle(field, choice);
            action.forget();
            // The buttons go with the conflict.
            document.getElementById(field)?.focus();
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
          texts={draft.texts}
          problems={problems}
          formerSlugs={product.formerSlugs}
          family={product.family}
          onChange={draft.change}
        />
        <SearchPreview
          product={{
            ...product,
            ...draft.texts,
            name: product.family ? sizedName(draft.texts) : draft.texts.name,
          }}
        />
      </div>
      <SaveBar
        isDirty={draft.isDirty}
        busy={action.busy}
        words={hasConflicts ? "Choose which version to keep first" : "Unsaved changes"}
        onDiscard={() => {
          draft.reset();
          action.forget();
        }}
      />
    </form>
  );
}
