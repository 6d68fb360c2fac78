import Minus from "lucide-react/icons/minus";
import Plus from "lucide-react/icons/plus";
import { useEffect, useState } from "react";
import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import {
  editRows,
  type OrderEditPreview,
  type RequestedItems,
  unitsText,
} from "../../../../../domain/orders/order-edit.ts";
import { formatCents } from "../../../../../domain/shared/money.ts";
import { IconButton } from "../../../../ui/button.tsx";
import { Banner } from "../../../../ui/error-banner.tsx";
import { TextArea } from "../../../../ui/field.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { Skeleton } from "../../../../ui/skeleton.tsx";
import { type ApiProblem, callApi } from "../../../api.ts";
import { useApiResult } from "../../../use-api-result.ts";
import { ConfirmDialog } from "../../kit/confirm-dialog.tsx";
import { FormDialog } from "../../kit/form-dialog.tsx";
import { MoneyField } from "../../kit/money-field.tsx";
import { SumRow } from "../../kit/rows/sum-row.tsx";
import { Switch } from "../../kit/switch.tsx";
import { useAdminForm } from "../../kit/use-admin-action.ts";
import { useMailNotice } from "../../kit/use-mail-notice.ts";
import { withUnlock } from "../../shell/session-dialogs.tsx";
import { payerName } from "../order-labels.ts";
import { ProductSelect } from "./unit-fields.tsx";

/** A product's units in the paid order, now and after the edit. */
type Line = { productId: number; name: string; before: number; after: number };

/** Adds and removes items of a paid order; the server prices the edit, and the owner confirms it before it is applied. */
export default function EditItemsDialog({ order, onClose }: { order: AdminOrder; onClose: () => void }) {
  const form = useAdminForm("POST /api/admin/orders/:id/items", () => ({
    lines: order.items
      .filter(({ toShip }) => toShip > 0)
      .map(({ productId, name, toShip }): Line => ({ productId, name, before: toShip, after: toShip })),
    shipping: null as number | null,
    note: "",
    email: true,
  }));
  const { lines, shipping, note, email } = form.values;
  const [isConfirming, setConfirming] = useState(false);
  const canConfirm = useDoubleTapDelay(isConfirming);
  const requestedItems = toRequestedItems(lines, shipping ?? 0);
  const isChanged = requestedItems.add.length + requestedItems.remove.length > 0;
  const priceRequest = isChanged && !Number.isNaN(requestedItems.shipping) ? requestedItems : null;
  const response = useApiResult(
    priceRequest,
    (body, signal) =>
      withUnlock(() =>
        callApi("POST /api/admin/orders/:id/items/preview", { params: { id: order.id }, body, signal }),
      ),
    debounceMs,
  );
  const isLoading = priceRequest !== null && !response.isCurrent;
  const problem = response.isCurrent ? response.problem : null;
  // The last price and the fields below it stay until the next one arrives, so that nothing jumps.
  const preview = priceRequest && !problem ? (response.body?.data ?? null) : null;
  const mailNotice = useMailNotice();
  const setUnits = (productId: number, after: number) =>
    form.set({
      lines: lines
        .map((line) => (line.productId === productId ? { ...line, after } : line))
        .filter(({ before, after: units }) => before > 0 || units > 0),
    });

  async function save() {
    if (!preview) return;
    const response = await form.run({
      params: { id: order.id },
      body: {
        ...requestedItems,
        version: preview.version,
        difference: preview.difference,
        note: note || null,
        email,
      },
      success: ({ data }) => {
        const [edit] = data.changes;
        const isWaiting = edit?.status === "waiting";
        const description = email
          ? mailNotice(
              isWaiting ? "The customer gets the payment link by email." : "The customer gets an email.",
            )
          : isWaiting
            ? "Copy the payment link from the order."
            : "";
        const title = isWaiting ? "The edit is waiting for payment" : "Items changed";
        return description ? { title, description } : { title };
      },
    });
    if (response.ok) onClose();
    // The server's response is shown in the form.
    else setConfirming(false);
  }

  return (
    <FormDialog
      title={`Edit the items of order #${order.number}`}
      description="You see the new total before anything changes."
      form={{ ...form, generalProblem: form.problem }}
      submitLabel="Continue"
      failure="Nothing was changed."
      isReady={preview !== null && !isLoading}
      send={() => void setConfirming(true)}
      onClose={onClose}
    >
      <ul className="divide-y divide-line border-y border-line">
        {lines.map((line) => (
          <LineRow key={line.productId} line={line} onChange={setUnits} />
        ))}
      </ul>
      <ProductSelect
        label="Add a product"
        name="add-product"
        value={0}
        without={lines.map(({ productId }) => productId)}
        onChoose={({ id: productId, name }) =>
          form.set({ lines: [...lines, { productId, name, before: 0, after: 1 }] })
        }
      />
      {requestedItems.add.length > 0 && (
        <MoneyField
          {...form.field("shipping")}
          name="add-shipping"
          label="Extra shipping"
          hint="The shipping paid so far stays. Leave it empty to charge no more."
          optional
          className="max-w-60"
          maxCents={1_000_000}
        />
      )}
      <div aria-live="polite" aria-busy={isLoading} className="grid gap-3 aria-busy:text-ink-muted">
        {isLoading && !preview && <Skeleton className="h-24" />}
        {problem && (
          <Banner tone="warning" title="This can’t be done.">
            {problemText(problem, requestedItems, lines)}
          </Banner>
        )}
        {preview && <PriceBreakdown preview={preview} payer={payerName(order)} />}
      </div>
      {preview && (
        <>
          <TextArea
            {...form.field("note")}
            label="Note to the customer"
            name="items-note"
            optional
            rows={2}
            maxLength={500}
          />
          <Switch
            {...form.field("email")}
            name="items-email"
            label="Email the customer"
            hint={mailNotice(
              "With the changes.",
              "No mail server is set: the email is stored, not sent.",
              "Email sending is interrupted: it is sent automatically later.",
            )}
          />
        </>
      )}
      {isConfirming && preview && (
        <ConfirmDialog
          onClose={() => setConfirming(false)}
          {...confirmationTexts(preview, order.number, payerName(order))}
          form={{ busy: form.busy, problem: null }}
          disabled={!canConfirm}
          danger={preview.settlement === "refund"}
          send={() => void save()}
        />
      )}
    </FormDialog>
  );
}

function LineRow({
  line: { productId, name, before, after },
  onChange,
}: {
  line: Line;
  onChange: (productId: number, after: number) => void;
}) {
  const difference = after - before;
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3 text-ui">
      <span className="min-w-0 flex-1 wrap-anywhere">
        {name}
        {difference !== 0 && (
          <span className={`block text-small ${difference > 0 ? "text-success" : "text-danger"}`}>
            {difference > 0 ? `${difference} added` : after === 0 ? "Removed" : `${-difference} removed`}
          </span>
        )}
      </span>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out inline as a grid in every browser */}
      <div role="group" aria-label={`Units of ${name}`} className="flex items-center gap-1">
        <IconButton
          label={`One ${name} less`}
          disabled={after === 0}
          onClick={() => onChange(productId, after - 1)}
        >
          <Icon glyph={Minus} size="small" />
        </IconButton>
        <output className="w-8 text-center font-medium tabular-nums">{after}</output>
        <IconButton
          label={`One ${name} more`}
          disabled={after >= 99}
          onClick={() => onChange(productId, after + 1)}
        >
          <Icon glyph={Plus} size="small" />
        </IconButton>
      </div>
    </li>
  );
}

function PriceBreakdown({ preview, payer }: { preview: OrderEditPreview; payer: string }) {
  const { added, difference, taxIncluded } = preview;
  const { removed, shipping, tax, includedTax } = editRows(preview);
  return (
    <dl className="grid gap-1.5 rounded-sm bg-cream-soft p-4 text-ui tabular-nums">
      {added.map(({ productId, quantity, name, total }) => (
        <SumRow key={`a${productId}`} name={`${quantity} × ${name}`} cents={total} />
      ))}
      {shipping > 0 && <SumRow name="Shipping" cents={shipping} />}
      {removed.map(({ productId, quantity, name, total }) => (
        <SumRow key={`r${productId}`} name={`${quantity} × ${name}, removed`} cents={-total} />
      ))}
      {tax !== 0 && <SumRow name="Tax" cents={tax} />}
      <div className="mt-1 flex justify-between gap-4 border-t border-sand pt-2 font-semibold">
        <dt>{outcome(difference, payer)}</dt>
      </div>
      {includedTax !== 0 && <SumRow name={`Including ${taxIncluded}`} cents={includedTax} />}
    </dl>
  );
}

/** Such as "Maria pays $35.90 more". */
function outcome(difference: number, payer: string): string {
  if (difference > 0) return `${payer} pays ${formatCents(difference)} more`;
  return difference < 0 ? `${payer} gets ${formatCents(-difference)} back` : "Nothing to pay";
}

/** The confirmation's texts by `settlement` of the price difference. */
function confirmationTexts(preview: OrderEditPreview, number: number, payer: string) {
  const { settlement, difference, added, removed } = preview;
  const amount = formatCents(Math.abs(difference));
  const changes = [
    ...(added.length > 0 ? [`${unitsText(added)} added`] : []),
    ...(removed.length > 0 ? [`${unitsText(removed)} removed`] : []),
  ].join(", ");
  const changeSentence = `Order #${number} changes at once: ${changes}.`;
  return {
    link: {
      title: `Ask ${payer} to pay ${amount} more?`,
      description: `Order #${number} stays as it is, and is held back, until it is paid: ${changes}. The units are reserved for 3 days. You can withdraw the change until then.`,
      confirmLabel: `Ask for ${amount}`,
    },
    outside: {
      title: `Record that ${payer} paid ${amount} more?`,
      description: `${changeSentence} Take the money first: this cannot be undone.`,
      confirmLabel: `Record ${amount}`,
    },
    refund: {
      title: `Refund ${amount} to ${payer}?`,
      description: `${changeSentence} The money goes back the way it was paid. This cannot be undone.`,
      confirmLabel: `Refund ${amount}`,
    },
    none: {
      title: "Change the items?",
      description: `${changeSentence} No money moves.`,
      confirmLabel: "Change the items",
    },
  }[settlement];
}

function problemText(
  { fields = {}, message }: ApiProblem,
  requestedItems: RequestedItems,
  lines: readonly Line[],
): string {
  const sentences = Object.entries(fields).map(([path, text]) => {
    const [list, index] = path.split(".");
    const { productId } = (list === "add" ? requestedItems.add : requestedItems.remove)[Number(index)] ?? {};
    const name = lines.find((line) => line.productId === productId)?.name;
    return name ? `${name}: ${text}.` : text;
  });
  return sentences.length > 0 ? sentences.join(" ") : message;
}

function toRequestedItems(lines: readonly Line[], shipping: number): RequestedItems {
  const add = lines.flatMap(({ productId, before, after }) =>
    after > before ? [{ productId, quantity: after - before }] : [],
  );
  const remove = lines.flatMap(({ productId, before, after }) =>
    after < before ? [{ productId, quantity: before - after }] : [],
  );
  return { add, remove, shipping: add.length > 0 ? shipping : 0 };
}

const doubleTapMs = 500;

/**
 * Whether the confirmation has been open for a moment. Its button appears in the place of the one that opened it, so a double
 * tap would press both.
 */
function useDoubleTapDelay(isConfirming: boolean): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    setOver(false);
    if (!isConfirming) return;
    const timer = setTimeout(() => setOver(true), doubleTapMs);
    return () => clearTimeout(timer);
  }, [isConfirming]);
  return isOver;
}

const debounceMs = 250;
