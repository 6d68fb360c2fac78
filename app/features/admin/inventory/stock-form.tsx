import type { FormEvent } from "react";
import {
  type ProductStock,
  type StockReason,
  stockReasonLabels,
  stockReasons,
  unitsText,
} from "../../../../domain/inventory/stock.ts";
import { randomUuid } from "../../../ui/browser/random-uuid.ts";
import { Card } from "../../../ui/card.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { Field, Options, Select } from "../../../ui/field.tsx";
import { PanelButton } from "../kit/action-button.tsx";
import { useAdminForm } from "../kit/use-admin-action.ts";
import { NoteField } from "./note-field.tsx";

/** Meaning of the number: units added, units removed, or a full count. Every reason has one meaning. */
type Meaning = "add" | "take" | "count";
const meanings: Record<Exclude<StockReason, "expired">, Meaning> = {
  received: "add",
  returned: "add",
  damaged: "take",
  lost: "take",
  sample: "take",
  counted: "count",
  other: "count",
};
type ManualReason = keyof typeof meanings;
const labels: Record<Meaning, string> = {
  add: "Units that came in",
  take: "Units that are gone",
  count: "Units on the shelf now",
};
const emptyFields = { units: "", note: "", batchId: "" };

/** Changes a product's stock. The input is kept when the save fails. */
export function StockForm({ stock }: { stock: ProductStock }) {
  const form = useAdminForm("POST /api/admin/products/:id/stock", () => ({
    // Every attempt sends the same id, so that the change is booked once.
    id: randomUuid(),
    reason: "received" as ManualReason,
    ...emptyFields,
  }));
  const { busy, generalProblem, fields } = form;
  const { id, reason, units, note, batchId } = form.values;
  const meaning = meanings[reason];
  const change = stockChange(meaning, units, stock.onHand);

  async function save(event: FormEvent) {
    event.preventDefault();
    if (change === null || change === 0 || busy) return;
    const amount = meaning === "count" ? { onHand: stock.onHand + change } : { change };
    const hasChosenBatch = meaning !== "count" && batchId !== "";
    const body = { id, ...amount, reason, note, batchId: hasChosenBatch ? Number(batchId) : null };
    const response = await form.run({
      params: { id: stock.product.id },
      body,
      success: { title: "Stock updated", description: `${unitsText(stock.onHand + change)} on the shelf.` },
    });
    if (!response.ok) return;
    form.set({ ...emptyFields, id: randomUuid() });
  }

  return (
    <Card className="p-5">
      <h2 className="card-title">Change stock</h2>
      <form className="mt-3 grid gap-4 sm:grid-cols-2" onSubmit={save} noValidate>
        <Select {...form.field("reason")} label="What happened">
          <Options
            of={stockReasons
              .filter((reason) => reason !== "expired")
              .map((reason) => [reason, stockReasonLabels[reason]])}
          />
        </Select>
        <Field
          {...form.field("units", (text) => text.replace(/\D/g, ""))}
          label={labels[meaning]}
          inputMode="numeric"
          autoComplete="off"
          maxLength={7}
          error={fields.change ?? fields.onHand}
          hint={hint(change, stock.onHand)}
        />
        {meaning !== "count" && stock.batches.length > 0 && (
          <Select
            {...form.field("batchId")}
            label="Batch"
            hint={
              meaning === "take"
                ? "If none is chosen, units without a batch are taken first, then the oldest batch."
                : undefined
            }
          >
            <option value="">No batch</option>
            <Options
              of={stock.batches
                .filter(({ remaining }) => meaning === "add" || remaining > 0)
                .map(({ id, code, remaining }) => [id, `${code} (${remaining} left)`])}
            />
          </Select>
        )}
        <NoteField
          {...form.field("note")}
          className={meaning !== "count" && stock.batches.length > 0 ? "" : "sm:col-span-2"}
        />
        {generalProblem && (
          <Banner
            className="sm:col-span-2"
            title={generalProblem.status === 0 ? "It is unknown whether this was saved." : "Not saved."}
          >
            {generalProblem.message}
            {generalProblem.status === 0 && " Saving it again does not count it twice."}
          </Banner>
        )}
        <div className="sm:col-span-2">
          <PanelButton
            variant="primary"
            type="submit"
            busy={busy}
            busyText="Saving..."
            disabled={change === null || change === 0}
          >
            Save change
          </PanelButton>
        </div>
      </form>
    </Card>
  );
}

/** Change of the stock in units; null until a number is entered. */
function stockChange(meaning: Meaning, units: string, onHand: number): number | null {
  if (units === "") return null;
  const number = Number(units);
  if (meaning === "count") return number - onHand;
  return meaning === "add" ? number : -number;
}

function hint(change: number | null, onHand: number): string {
  if (change === null || change === 0) return `${unitsText(onHand)} on the shelf.`;
  const after = onHand + change;
  return after < 0
    ? `There are only ${onHand.toLocaleString("en-US")} on the shelf.`
    : `${onHand.toLocaleString("en-US")} → ${unitsText(after)} on the shelf.`;
}
