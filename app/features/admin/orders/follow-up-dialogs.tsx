import { useState } from "react";
import type { AdminOrder } from "../../../../domain/orders/admin-order.ts";
import { countUnits } from "../../../../domain/orders/order.ts";
import { type ReplacementReason, replacementReasons } from "../../../../domain/orders/replacement.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { randomUuid } from "../../../ui/browser/random-uuid.ts";
import { Banner } from "../../../ui/error-banner.tsx";
import { Options, Select, TextArea } from "../../../ui/field.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { callApi } from "../../api.ts";
import { useApiResult } from "../../use-api-result.ts";
import { FormDialog } from "../kit/form-dialog.tsx";
import { SumRow } from "../kit/rows/sum-row.tsx";
import { useAdminForm } from "../kit/use-admin-action.ts";
import { useMailNotice } from "../kit/use-mail-notice.ts";
import { withUnlock } from "../shell/session-dialogs.tsx";
import { ProductSelect, type UnitsByProduct, UnitsSelect, unitLines } from "./order/unit-fields.tsx";
import { payerName } from "./order-labels.ts";

/** Header with one key for all calls of this dialog, so that pressing twice has a single effect. */
function useIdempotencyHeader(): Record<string, string> {
  const [key] = useState(randomUuid);
  return { "Idempotency-Key": key };
}

/** Sends units of the order again free of charge: all of them, unless fewer are chosen. */
export function ReplacementDialog({ order, onClose }: { order: AdminOrder; onClose: () => void }) {
  const headers = useIdempotencyHeader();
  const mailNotice = useMailNotice();
  const form = useAdminForm("POST /api/admin/orders/:id/replacement", () => ({
    units: Object.fromEntries(
      order.items.map(({ productId, quantity }) => [productId, quantity]),
    ) as UnitsByProduct,
    reason: "damaged" as ReplacementReason,
    note: "",
  }));
  const { units, reason, note } = form.values;
  const items = unitLines(units);
  return (
    <FormDialog
      title={`Send a replacement for order #${order.number}`}
      description={`Free, to the same address. ${mailNotice("The customer gets an email.", "No mail server is set: the customer’s email will be stored, not sent.")}`}
      form={form}
      submitLabel="Send a replacement"
      busyText="Sending..."
      failure="No replacement was sent."
      isReady={items.length > 0}
      send={() =>
        form.run({
          params: { id: order.id },
          body: { items, reason, note: note.trim() || null },
          headers,
          success: ({ number }) => ({
            title: `Replacement #${number} is ready to ship`,
            description: mailNotice("The customer gets an email."),
          }),
        })
      }
      onClose={onClose}
    >
      <Select {...form.field("reason")} label="What happened" name="replacement-reason">
        <Options of={Object.entries(replacementReasons)} />
      </Select>
      <UnitsFields {...form.field("units")} legend="In the parcel" lines={order.items} />
      <Note form={form} />
    </FormDialog>
  );
}

/** Exchanges units of the order for others; the server prices the exchange while units are chosen. */
export function ExchangeDialog({ order, onClose }: { order: AdminOrder; onClose: () => void }) {
  const headers = useIdempotencyHeader();
  const mailNotice = useMailNotice();
  const form = useAdminForm("POST /api/admin/orders/:id/exchange", () => ({
    returned: Object.fromEntries(
      order.items.map(({ productId }, index) => [productId, index === 0 ? 1 : 0]),
    ) as UnitsByProduct,
    productId: 0,
    quantity: 1,
    note: "",
    sendTo: "",
  }));
  const { productId, quantity, note, sendTo } = form.values;
  const returned = unitLines(form.values.returned);
  const items = productId === 0 ? [] : [{ productId, quantity }];
  const request = returned.length > 0 && items.length > 0 ? { returned, items } : null;
  const response = useApiResult(
    request,
    (body, signal) =>
      withUnlock(() =>
        callApi("POST /api/admin/orders/:id/exchange/preview", { params: { id: order.id }, body, signal }),
      ),
    250,
  );
  const problem = response.isCurrent ? response.problem : null;
  // The last sums stay until the next ones arrive, so that nothing jumps.
  const sums = request && !problem ? (response.body?.data ?? null) : null;
  return (
    <FormDialog
      title={`Exchange units of order #${order.number}`}
      description="The new units are reserved until the difference is paid or the return has arrived."
      form={form}
      submitLabel="Exchange"
      failure="Nothing was exchanged."
      isReady={sums !== null && response.isCurrent}
      send={() =>
        form.run({
          params: { id: order.id },
          body: { returned, items, note: note.trim() || null, sendTo: sendTo.trim() || null },
          headers,
          success: ({ status }) => ({
            title:
              status === "waits_for_payment"
                ? "The exchange is waiting for payment"
                : "The exchange is waiting for the return",
            description: mailNotice(
              status === "waits_for_payment"
                ? "The customer gets the payment link by email."
                : "The customer gets an email.",
            ),
          }),
        })
      }
      onClose={onClose}
    >
      <UnitsFields {...form.field("returned")} legend="Comes back" lines={order.items} />
      <fieldset className="grid gap-3">
        <legend className="mb-1 font-semibold">Goes out</legend>
        <ProductSelect
          label="Product"
          name="exchange-product"
          value={productId}
          onChoose={({ id }) => form.set({ productId: id })}
        />
        <UnitsSelect
          {...form.field("quantity")}
          label="Units"
          name="exchange-quantity"
          min={1}
          max={countUnits(order.items)}
        />
      </fieldset>
      <div
        aria-live="polite"
        aria-busy={request !== null && !response.isCurrent}
        className="grid gap-3 aria-busy:text-ink-muted"
      >
        {request && !sums && !problem && <Skeleton className="h-31" />}
        {problem && (
          <Banner tone="warning" title="This can’t be done.">
            {Object.values(problem.fields ?? {}).join(". ") || problem.message}
          </Banner>
        )}
        {sums && (
          <dl className="grid gap-1.5 rounded-sm bg-cream-soft p-4 text-ui tabular-nums">
            <SumRow name="Goes out" cents={sums.items} />
            <SumRow name="Comes back" cents={-sums.returned} />
            <div className="mt-1 flex justify-between gap-4 border-t border-sand pt-2 font-semibold">
              <dt>{outcome(sums.difference, payerName(order))}</dt>
            </div>
          </dl>
        )}
      </div>
      <TextArea
        {...form.field("sendTo")}
        label="Address for the return"
        hint={addressHint(sums?.sendTo)}
        name="exchange-send-to"
        optional
        rows={2}
        maxLength={500}
      />
      <Note form={form} />
    </FormDialog>
  );
}

function outcome(difference: number, payer: string): string {
  if (difference > 0) return `${payer} pays ${formatCents(difference)} through a payment link`;
  return difference < 0
    ? `${payer} gets ${formatCents(-difference)} back once the return has arrived`
    : "Nothing to pay";
}

/** `sendTo`: the return address in the customer's e-mail if none is entered; undefined before it is loaded. */
function addressHint(sendTo: string | undefined): string {
  if (sendTo === undefined) return "If this is empty, your postal address is used.";
  return `If this is empty, the customer is told: “${sendTo.replaceAll("\n", ", ").replace("to, ", "to ")}”`;
}

function Note({ form }: { form: { field(name: "note"): object } }) {
  return (
    <TextArea
      {...form.field("note")}
      label="Note to the customer"
      name="follow-up-note"
      optional
      rows={2}
      maxLength={500}
    />
  );
}

function UnitsFields({
  legend,
  lines,
  value: units,
  onChange,
}: {
  legend: string;
  lines: readonly { productId: number; name: string; quantity: number }[];
  value: UnitsByProduct;
  onChange: (units: UnitsByProduct) => void;
}) {
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1 font-semibold">{legend}</legend>
      {lines.map(({ productId, name, quantity }) => (
        <UnitsSelect
          key={productId}
          label={name}
          name={`${legend}-${productId}`}
          max={quantity}
          value={units[productId] ?? 0}
          onChange={(next) => onChange({ ...units, [productId]: next })}
        />
      ))}
    </fieldset>
  );
}
