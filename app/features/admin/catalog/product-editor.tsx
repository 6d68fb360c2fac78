import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Link, useNavigate, useRevalidator, useSearchParams } from "react-router";
import type { AdminProduct } from "../../../../domain/catalog/product-admin.ts";
import { Banner } from "../../../ui/error-banner.tsx";
import { FieldLinks } from "../../../ui/field.tsx";
import { callApi } from "../../api.ts";
import { ConflictPanel } from "../kit/saved-form/conflict-panel.tsx";
import { SaveBar } from "../kit/saved-form/save-bar.tsx";
import { useSavedForm } from "../kit/saved-form/use-saved-form.ts";
import { useAdminAction } from "../kit/use-admin-action.ts";
import {
  displayText,
  draftKey,
  type ProductTab,
  type ProductValues,
  productFields,
  productTabs,
  requestBody,
  savedValues,
  unreadableField,
} from "./product-values.ts";

/** The part of the shared form that the tabs use. */
export type ProductForm = Pick<
  ReturnType<typeof useSavedForm<ProductValues>>,
  "values" | "field" | "changes" | "isDirty"
> & { problems: Record<string, string>; save: (event: FormEvent) => void };

const formId = "product-texts";

/**
 * The tabs of a product, whose fields are saved together. All tabs stay mounted, so that switching tabs loses neither typed
 * text nor uploads; the URL names the open tab. Changes that others save in the meantime are neither lost nor overwritten
 * without notice.
 */
export function ProductEditor({
  product,
  panels,
}: {
  product: AdminProduct;
  panels: Record<ProductTab, (form: ProductForm) => ReactNode>;
}) {
  const action = useAdminAction("PATCH /api/admin/products/:id", { failure: null });
  const form = useSavedForm(savedValues(product), {
    problems: action.fields,
    storageKey: draftKey(product.id),
  });
  const { revalidate } = useRevalidator();
  const summary = useRef<HTMLDivElement>(null);
  const { tab, reveal } = useTabs();

  const problems = action.fields;
  const links = Object.entries(problems).map(([controlId, problem]) => ({ controlId, problem }));
  const hasConflicts = form.conflicts.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each problem takes the focus, even one with the same text
  useEffect(() => {
    // During the call, the focus stays on the button.
    if (!action.problem || action.busy) return;
    const [firstLink] = links;
    if (firstLink) reveal(firstLink.controlId);
    else summary.current?.focus();
  }, [action.problem, action.busy, hasConflicts]);

  async function save(event: FormEvent) {
    event.preventDefault();
    if (action.busy || !form.isDirty) return;
    // The save bar is always in view; the conflicts to settle first may be far above it.
    if (hasConflicts) return summary.current?.focus();
    const unreadable = unreadableField(form.values);
    if (unreadable !== null) return reveal(unreadable);
    const result = await action.perform(
      async () => {
        const response = await form.send(
          (revision) =>
            callApi("PATCH /api/admin/products/:id", {
              params: { id: product.id },
              body: { ...requestBody(form.changes), revision },
            }),
          savedValues,
        );
        if (response.ok) form.adopt(savedValues(response.body.data));
        return response;
      },
      { success: { title: "Product saved", description: "The shop shows it at once." } },
    );
    if (!result.ok && result.problem.current !== undefined) await revalidate();
  }

  const changedFields = (Object.keys(productFields) as (keyof ProductValues)[]).filter(
    (name) => name in form.changes,
  );
  const sharedForm: ProductForm = { ...form, problems, save };
  return (
    <>
      <Tabs current={tab} changed={new Set(changedFields.map((name) => productFields[name].tab))} />
      <div className="mt-4 grid gap-4 empty:hidden">
        {form.isRestored && (
          <Banner tone="info" title="What you had typed is back.">
            It is not saved yet: save it, or discard it.
          </Banner>
        )}
        <ConflictPanel
          ref={summary}
          conflicts={form.conflicts.map(({ name, theirs, mine }) => ({
            name,
            label: productFields[name].label,
            theirs: displayText(theirs),
            mine: displayText(mine),
          }))}
          onSettle={(name, choice) => {
            form.settle([name], choice);
            action.clearProblem();
            // The focused button disappears with the conflict.
            reveal(name);
          }}
        />
        {links.length > 1 && (
          <Banner title="Please check these fields">
            <FieldLinks links={links} onFollow={reveal} />
          </Banner>
        )}
        {action.problem && links.length === 0 && !hasConflicts && (
          <Banner ref={summary} tabIndex={-1} className="scroll-my-24" title="The product was not saved.">
            {action.problem.message}
          </Banner>
        )}
      </div>
      {/* The save bar submits this form from any tab. */}
      <form id={formId} noValidate onSubmit={save} hidden />
      {(Object.keys(productTabs) as ProductTab[]).map((name) => (
        <div key={name} hidden={name !== tab} className="mt-4 stack gap-4">
          {panels[name](sharedForm)}
        </div>
      ))}
      <SaveBar
        form={formId}
        isDirty={form.isDirty}
        busy={action.busy}
        saveLabel="Save"
        message={
          hasConflicts
            ? "Choose which version to keep first"
            : changedFields.length === 1
              ? "1 change"
              : `${changedFields.length} changes`
        }
        detail={changedFields.map((name) => productFields[name].label).join(", ")}
        onDiscard={() => {
          form.reset();
          action.clearProblem();
        }}
      />
    </>
  );
}

/** The open tab, and `reveal`, which opens a field's tab and fold and focuses the field. */
function useTabs() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const name = params.get("tab") ?? "";
  const tab: ProductTab = name in productTabs ? (name as ProductTab) : "texts";
  const [controlToReveal, setControlToReveal] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a field on another tab can take the focus once that tab is open
  useEffect(() => {
    if (controlToReveal === null) return;
    const control = document.getElementById(controlToReveal);
    const fold = control?.closest("details");
    if (fold) fold.open = true;
    if (!control?.checkVisibility()) return;
    control.focus();
    setControlToReveal(null);
  }, [controlToReveal, tab]);
  return {
    tab,
    reveal(controlId: string) {
      setControlToReveal(controlId);
      const [field = ""] = controlId.split(".");
      const fieldTab = productFields[field as keyof ProductValues]?.tab ?? tab;
      if (fieldTab !== tab) {
        void navigate(tabLocation(fieldTab), { preventScrollReset: true, defaultShouldRevalidate: false });
      }
    },
  };
}

const tabLocation = (tab: ProductTab) => ({ search: tab === "texts" ? "" : `?tab=${tab}` });

function Tabs({ current, changed }: { current: ProductTab; changed: ReadonlySet<ProductTab> }) {
  const list = useRef<HTMLUListElement>(null);
  // Scrolls only the list; scrollIntoView would also scroll the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current tab is brought into view each time it changes
  useEffect(() => {
    const link = list.current?.querySelector<HTMLElement>("[aria-current]");
    const frame = list.current?.parentElement;
    if (link && frame) frame.scrollLeft = link.offsetLeft - (frame.clientWidth - link.offsetWidth) / 2;
  }, [current]);
  return (
    <nav
      aria-label="Parts of the product"
      className="relative -mx-(--gutter) overflow-x-auto border-b border-line px-(--gutter) [scrollbar-width:none] max-lg:mask-[linear-gradient(90deg,#000_calc(100%-3.5rem),transparent)] lg:mx-0 lg:px-0"
    >
      <ul ref={list} className="flex gap-3 max-lg:w-max max-lg:pr-12 lg:gap-7">
        {(Object.keys(productTabs) as ProductTab[]).map((tab) => (
          <li key={tab}>
            <Link
              to={tabLocation(tab)}
              preventScrollReset
              defaultShouldRevalidate={false}
              aria-current={tab === current ? "page" : undefined}
              className="-mb-px flex min-h-11.5 min-w-11 items-center justify-center gap-1.5 border-b-2 border-transparent text-small font-medium whitespace-nowrap text-ink-muted no-underline -outline-offset-2! hover:text-ink lg:text-ui aria-[current=page]:border-copper-600 aria-[current=page]:font-semibold aria-[current=page]:text-ink"
            >
              {productTabs[tab]}
              {changed.has(tab) && (
                <span className="size-1.75 rounded-full bg-copper-600">
                  <span className="sr-only">, with unsaved changes</span>
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
