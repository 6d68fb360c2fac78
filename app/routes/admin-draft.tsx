import { Link, useNavigate } from "react-router";
import { type Draft, offlinePaymentMethods } from "../../domain/drafts/draft.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { adminLoader, uuidParam } from "../features/admin/admin-data.ts";
import { draftContents } from "../features/admin/drafts/draft-contents.ts";
import { DraftForm } from "../features/admin/drafts/draft-form.tsx";
import { draftLabels } from "../features/admin/drafts/draft-labels.ts";
import { ActionButton, DialogButton } from "../features/admin/kit/action-button.tsx";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { ButtonWithConfirmation, ConfirmDialog } from "../features/admin/kit/confirm-dialog.tsx";
import { CopyLinkButton, usePaymentLinkTexts } from "../features/admin/kit/copy.tsx";
import { FormFields } from "../features/admin/kit/form-dialog.tsx";
import { ShortDay } from "../features/admin/kit/short-day.tsx";
import { useAdminForm } from "../features/admin/kit/use-admin-action.ts";
import { useMailNotice } from "../features/admin/kit/use-mail-notice.ts";
import { TotalsList } from "../features/checkout/totals-list.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { shopContext } from "../shop-context.ts";
import { Badge } from "../ui/badge.tsx";
import { Card } from "../ui/card.tsx";
import { Field, Options, Select } from "../ui/field.tsx";
import type { Route } from "./+types/admin-draft";

export const meta: Route.MetaFunction = (args) =>
  privatePageMeta(
    args,
    args.loaderData?.draft ? `Draft for ${args.loaderData.draft.customerName}` : "New draft",
  );

/** The id `new` opens the form of a new draft, with `?order=` filled in from that order. */
export const loader = adminLoader(async ({ context, request, params: { id } }: Route.LoaderArgs, read) => {
  const isNew = id === "new";
  const orderId = isNew ? uuidParam(request, "order") : undefined;
  const [draft, order, { data: products }, { shipping }] = await Promise.all([
    isNew ? null : read("GET /api/admin/drafts/:id", { params: { id } }),
    orderId ? read("GET /api/admin/orders/:id", { params: { id: orderId } }) : null,
    read("GET /api/products"),
    context.get(shopContext).settings(),
  ]);
  return {
    draft: draft?.data ?? null,
    order: order?.data ?? null,
    products: products.map(({ id: productId, name, price }) => ({ id: productId, name, price })),
    shipping,
  };
});

export default function AdminDraft({ loaderData }: Route.ComponentProps) {
  const { draft, order, products, shipping } = loaderData;
  const isClosed = draft?.status === "paid" || draft?.status === "processing";
  return (
    <AdminPage
      title={draft ? `Draft for ${draft.customerName}` : "New draft"}
      back={{ to: "/admin/drafts", label: "Draft orders" }}
    >
      {order && (
        <p className="mb-4 text-ui text-ink-muted">
          Filled in from{" "}
          <Link to={`/admin/orders/${order.id}`} className="link">
            order #{order.number}
          </Link>
          , at the shop’s prices of today.
        </p>
      )}
      {isClosed ? (
        <div className="max-w-120">
          <DraftActions draft={draft} />
        </div>
      ) : (
        <DraftForm
          key={`${draft?.id} ${order?.id}`}
          draft={draft}
          initialContents={draft ?? (order && draftContents(order, products, shipping))}
          products={products}
          shipping={shipping}
          actions={draft ? (isChanged) => <DraftActions draft={draft} isChanged={isChanged} /> : undefined}
        />
      )}
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Draft orders", "The draft could not be loaded");

/**
 * State of a saved draft, with the actions for getting it paid. `isChanged`: whether the form beside it has unsaved
 * changes.
 */
function DraftActions({ draft, isChanged = false }: { draft: Draft; isChanged?: boolean }) {
  const { quote, status, order } = draft;
  const isClosed = status === "paid" || status === "processing";
  const { label, tone } = draftLabels[status];
  return (
    <Card className="grid gap-4 p-5">
      <p className="flex flex-wrap items-center justify-between gap-2">
        <Badge tone={tone}>{label}</Badge>
        {order && (
          <Link
            to={`/admin/orders/${order.id}`}
            className="link inline-flex min-h-11 items-center text-small"
          >
            Order #{order.number}
          </Link>
        )}
      </p>
      {isClosed && <TotalsList totals={quote.totals} discountCode={draft.discountCode} />}
      {!isClosed && <PaymentLink draft={draft} isChanged={isChanged} />}
      <SecondaryActions draft={draft} isClosed={isClosed} isChanged={isChanged} />
    </Card>
  );
}

function PaymentLink({ draft, isChanged }: { draft: Draft; isChanged: boolean }) {
  const linkTexts = usePaymentLinkTexts(draft.email);
  return (
    <div className="grid gap-3">
      <h2 className="card-title">Payment link for {formatCents(draft.quote.totals.total)}</h2>
      <p className="text-small text-ink-muted">
        {draft.status === "expired" ? (
          "The link has expired. Send it again to renew it."
        ) : (
          <>
            Anyone with the link can pay until <ShortDay iso={draft.expiresAt} />. The units are reserved when
            the customer opens it to pay.
          </>
        )}
      </p>
      <div className="flex flex-wrap gap-2">
        <ActionButton
          variant="primary"
          disabled={isChanged}
          call="POST /api/admin/drafts/:id/send"
          {...linkTexts}
          busyText="Sending..."
          send={(run) => run({ params: { id: draft.id } })}
        >
          {draft.sentAt ? "Send again" : "Send by email"}
        </ActionButton>
        {draft.status !== "expired" && (
          <CopyLinkButton
            call="POST /api/admin/drafts/:id/link"
            send={(run) => run({ params: { id: draft.id } })}
          />
        )}
      </div>
      {draft.sentAt && (
        <p className="text-small wrap-anywhere text-ink-muted">
          Sent <ShortDay iso={draft.sentAt} withTime /> to {draft.email}
        </p>
      )}
      {isChanged && (
        <p role="status" className="text-small font-medium">
          Save your changes first. The link charges the saved total.
        </p>
      )}
    </div>
  );
}

function SecondaryActions({
  draft,
  isClosed,
  isChanged,
}: {
  draft: Draft;
  isClosed: boolean;
  isChanged: boolean;
}) {
  const navigate = useNavigate();
  return (
    <div className="-mb-2 flex flex-wrap border-t border-line pt-2 *:-ml-3 *:mr-3">
      {!isClosed && (
        <DialogButton
          variant="quiet"
          disabled={isChanged}
          dialog={(onClose) => <OutsidePaymentDialog draft={draft} onClose={onClose} />}
        >
          Record a payment
        </DialogButton>
      )}
      <ActionButton
        variant="quiet"
        call="POST /api/admin/drafts/:id/duplicate"
        success={{ title: "Draft copied" }}
        busyText="Copying..."
        send={async (run) => {
          const response = await run({ params: { id: draft.id } });
          if (response.ok) await navigate(`/admin/drafts/${response.body.data.id}`);
        }}
      >
        Duplicate
      </ActionButton>
      {!isClosed && (
        <ButtonWithConfirmation
          label="Delete draft"
          variant="quiet"
          className="text-danger!"
          disabled={isChanged}
          title={`Delete the draft for ${draft.customerName}?`}
          description="Its payment link stops working. This cannot be undone."
          confirmLabel="Delete draft"
          busyText="Deleting..."
          call="DELETE /api/admin/drafts/:id"
          success={{ title: "Draft deleted" }}
          send={(run) => run({ params: { id: draft.id }, body: { revision: draft.revision } })}
          onDone={() => navigate("/admin/drafts", { replace: true })}
        />
      )}
    </div>
  );
}

function OutsidePaymentDialog({ draft, onClose }: { draft: Draft; onClose: () => void }) {
  const { total } = draft.quote.totals;
  const mailNotice = useMailNotice();
  const form = useAdminForm(
    "POST /api/admin/drafts/:id/paid",
    { method: "cash" as keyof typeof offlinePaymentMethods, reason: "" },
    {
      success: {
        title: "Recorded as paid",
        description: mailNotice("The customer gets a confirmation by email."),
      },
    },
  );
  const { busy, run } = form;
  return (
    <ConfirmDialog
      danger={false}
      onClose={onClose}
      title={`${formatCents(total)} paid by ${draft.customerName}?`}
      description="It becomes a paid order, counted separately from payments through the payment provider. It cannot be refunded through the shop, and this cannot be undone."
      confirmLabel={`Record ${formatCents(total)} as paid`}
      form={{ busy, problem: form.generalProblem }}
      disabled={form.values.reason.trim() === ""}
      send={() => {
        const body = { ...form.values, revision: draft.revision, amount: total };
        return run({ params: { id: draft.id }, body });
      }}
    >
      <FormFields name="Payment" busy={busy} className="mt-4 grid gap-4">
        <Select {...form.field("method")} label="How it was paid" name="paid-method">
          <Options of={Object.entries(offlinePaymentMethods)} />
        </Select>
        <Field
          {...form.field("reason")}
          label="Who received the money, and where it is now"
          name="paid-reason"
          required
          maxLength={500}
        />
      </FormFields>
    </ConfirmDialog>
  );
}
