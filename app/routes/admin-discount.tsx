import { type FormEvent, useEffect, useRef } from "react";
import { useLocation } from "react-router";
import * as v from "valibot";
import {
  type AdminDiscount,
  discountProblems,
  newDiscountSchema,
} from "../../domain/discounts/discount-form.ts";
import { type DiscountTerms, discountSentence } from "../../domain/discounts/discount-terms.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { discountDraft, discountTerms } from "../features/admin/discounts/discount-draft.ts";
import { DiscountFields, labels } from "../features/admin/discounts/discount-fields.tsx";
import { PanelButton } from "../features/admin/kit/action-button.tsx";
import { ButtonWithConfirmation } from "../features/admin/kit/confirm-dialog.tsx";
import { copyText } from "../features/admin/kit/copy.tsx";
import { Drawer } from "../features/admin/kit/drawer.tsx";
import { LeaveGuard, useLeaving } from "../features/admin/kit/saved-form/save-bar.tsx";
import { useAdminAction } from "../features/admin/kit/use-admin-action.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { useBrowserState } from "../ui/browser/browser-state.ts";
import { Banner } from "../ui/error-banner.tsx";
import { FieldLinks } from "../ui/field.tsx";
import { TextButton } from "../ui/text-button.tsx";
import { useForm } from "../ui/use-form.ts";
import type { Route } from "./+types/admin-discount";

export const meta: Route.MetaFunction = (args) =>
  privatePageMeta(args, args.loaderData?.discount?.code ?? "New discount");

/** The id `new` opens the form of a new discount. */
export const loader = adminLoader(async ({ params }: Route.LoaderArgs, read) => {
  const [discount, { data: settings }, { data: products }] = await Promise.all([
    params.id === "new" ? null : read("GET /api/admin/discounts/:id", { params: { id: params.id } }),
    read("GET /api/admin/settings"),
    read("GET /api/admin/products"),
  ]);
  return {
    discount: discount?.data ?? null,
    timeZone: settings.timeZone,
    /** The published products, and hidden products that the discount already includes. */
    products: products
      .filter(({ id, published }) => published || discount?.data.productIds.includes(id))
      .map(({ id, name }) => ({ id, name })),
  };
});

export default function AdminDiscountPage({ loaderData, params }: Route.ComponentProps) {
  const { search } = useLocation();
  return <DiscountDrawer key={params.id} {...loaderData} closeTo={`/admin/discounts${search}`} />;
}

const formId = "discount";

/** The form of a discount, beside the list; without `discount`, the form of a new discount. */
function DiscountDrawer({
  discount,
  timeZone,
  products,
  closeTo,
}: Route.ComponentProps["loaderData"] & { closeTo: string }) {
  const { isLeaving, leave } = useLeaving({ preventScrollReset: true });
  const update = useAdminAction("PATCH /api/admin/discounts/:id", { failure: null });
  const create = useAdminAction("POST /api/admin/discounts", { failure: null });
  const action = discount ? update : create;
  const summary = useRef<HTMLDivElement>(null);
  const names = new Map(products.map(({ id, name }) => [id, name]));
  const form = useForm(() => discountDraft(discount, timeZone), {
    check: (draft) => termsProblems(discountTerms(draft, { discount, timeZone, names })),
    problems: action.fields,
  });
  const terms = discountTerms(form.values, { discount, timeZone, names });

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt is announced, even with the same text
  useEffect(() => summary.current?.focus(), [form.submitCount, action.problem]);

  async function save(event: FormEvent) {
    event.preventDefault();
    if (action.busy) return;
    if (!form.submit()) return;
    const isNew = discount === null && !terms.automatic;
    const success = { title: isNew ? `${terms.code} can be used now` : `${terms.code} saved` };
    const response = discount
      ? await update.run({ params: { id: discount.id }, body: terms, success })
      : await create.run({
          body: terms,
          success: terms.active && !terms.startsAt ? success : { title: `${terms.code} saved` },
        });
    if (response.ok) leave(closeTo);
  }

  const links = Object.entries(form.errors).map(([controlId, problem]) => ({
    controlId,
    problem: controlId in labels ? `${labels[controlId as keyof typeof labels]}: ${problem}` : problem,
  }));
  return (
    <Drawer
      title={discount ? discount.code : "New discount"}
      subtitle={
        discount
          ? usageSentence(discount)
          : terms.automatic
            ? "Shoppers get it without a code"
            : "Shoppers enter the code at checkout"
      }
      closeTo={closeTo}
      footer={
        <>
          <PanelButton variant="primary" type="submit" form={formId} busy={action.busy} busyText="Saving...">
            {discount ? "Save discount" : "Create discount"}
          </PanelButton>
          {/* A code that has been used stays with its orders, but can be switched off. */}
          {discount?.used === 0 && (
            <ButtonWithConfirmation
              label="Delete"
              title={`Delete ${discount.code}?`}
              description="No order was placed with it. It cannot be restored, but the same code can be created again."
              confirmLabel="Delete discount"
              busyText="Deleting..."
              call="DELETE /api/admin/discounts/:id"
              success={{ title: `${discount.code} deleted` }}
              // The page closes after the deletion, so its data need not be reloaded.
              send={(run) => run({ params: { id: discount.id }, reloads: false })}
              onDone={() => leave(closeTo)}
            />
          )}
        </>
      }
    >
      <form id={formId} noValidate onSubmit={save} className="grid gap-6">
        {links.length > 0 && (
          <Banner ref={summary} tabIndex={-1} title="Please check these fields">
            <FieldLinks links={links} />
          </Banner>
        )}
        {links.length === 0 && action.problem && (
          <Banner ref={summary} tabIndex={-1} title="The discount was not saved.">
            {action.problem.message}
          </Banner>
        )}
        <DiscountFields
          form={form}
          timeZone={timeZone}
          products={products}
          isCodeFixed={(discount?.used ?? 0) > 0}
        />
        <div className="rounded-sm bg-cream-soft px-4 py-3.5 text-ui" aria-live="polite">
          <p className="mb-1 text-caption font-semibold text-ink-muted">What it gives a shopper</p>
          {Object.keys(termsProblems(terms)).some((field) => field !== "code") ? (
            <p className="text-ink-muted">Shown once all fields above are filled in correctly.</p>
          ) : (
            <p>{discountSentence(terms, timeZone)}</p>
          )}
          {discount?.active && !discount.automatic && <ShareLink code={discount.code} />}
        </div>
      </form>
      <LeaveGuard isDirty={form.isDirty && !isLeaving} />
    </Drawer>
  );
}

/** A link to the home page that brings the code to checkout. */
function ShareLink({ code }: { code: string }) {
  const [origin] = useBrowserState("", () => location.origin);
  const link = `${origin}/?code=${code}`;
  return (
    <p className="mt-2.5 flex flex-wrap items-center justify-between gap-x-3">
      <span className="min-w-0 wrap-anywhere text-ink-muted">{link}</span>
      <TextButton
        onClick={() =>
          void copyText(link, { name: "Share link", help: "Select the link and copy it yourself." })
        }
      >
        Copy share link
      </TextButton>
    </p>
  );
}

/** Error messages by field. */
function termsProblems(terms: DiscountTerms): Record<string, string> {
  const result = v.safeParse(newDiscountSchema, terms);
  const fields: Record<string, string> = {};
  for (const issue of result.issues ?? []) {
    const field = v.getDotPath(issue);
    if (field) fields[field] ??= issue.message;
  }
  return { ...discountProblems(terms), ...fields };
}

function usageSentence({ used, limitTotal }: AdminDiscount): string {
  const count = (units: number) => units.toLocaleString("en-US");
  const usage =
    used === 0 ? "Not used yet" : `${count(used)} ${used === 1 ? "order has" : "orders have"} used it`;
  return limitTotal === null
    ? usage
    : `${usage}, ${count(Math.max(0, limitTotal - used))} of ${count(limitTotal)} left`;
}
