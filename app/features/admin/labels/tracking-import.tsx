import { useState } from "react";
import type { MatchedTracking } from "../../../../domain/labels/tracking-list.ts";
import { carriers } from "../../../../domain/orders/tracking.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { Options, Select, TextArea } from "../../../ui/field.tsx";
import { toast } from "../../../ui/toast.tsx";
import { PanelButton } from "../kit/action-button.tsx";
import { FormFields } from "../kit/form-dialog.tsx";
import { useAdminForm } from "../kit/use-admin-action.ts";
import { EmailBox } from "../orders/parcel-fields.tsx";

/** Marks orders as shipped with tracking numbers from a label tool's file or a pasted list, after showing the order of each row. */
export function TrackingImport({ onClose }: { onClose: () => void }) {
  const [rows, setRows] = useState<MatchedTracking[] | null>(null);
  const list = useAdminForm("POST /api/admin/tracking/match", { text: "" }, { reloads: false });
  const ship = useAdminForm("POST /api/admin/orders/ship", { carrier: carriers[0] as string, email: true });
  const isBusy = list.busy || ship.busy;
  const readyRows = rows?.filter(({ problem }) => problem === null) ?? [];
  const needsCarrier = readyRows.some(({ carrier }) => carrier === null);

  async function check() {
    const response = await list.run({ body: { text: list.values.text } });
    if (response.ok) setRows(response.body.data);
  }

  async function shipReadyRows() {
    const { carrier, email } = ship.values;
    const body = {
      orders: readyRows.flatMap(({ orderId, trackingNumber, ...row }) =>
        orderId === null ? [] : [{ id: orderId, trackingNumber, carrier: row.carrier ?? carrier, email }],
      ),
    };
    const response = await ship.run({ body, timeoutMs: 60_000 });
    if (!response.ok) return;
    const shippedCount = response.body.data.filter((result) => result.ok).length;
    const refusals = response.body.data.flatMap((result) =>
      result.ok ? [] : [`#${result.number}: ${result.reason}`],
    );
    toast({
      title: shippedCount === 1 ? "1 order is shipped" : `${shippedCount} orders are shipped`,
      ...(refusals.length > 0 && {
        description: `Not shipped: ${refusals.join(" ")}`,
        tone: "danger" as const,
      }),
    });
    onClose();
  }

  return (
    <Dialog
      onClose={() => isBusy || onClose()}
      title="Import tracking numbers"
      description={
        rows
          ? "Rows with a problem are left out; the others are marked as shipped."
          : "Paste a list, or choose the file of your label tool: order number and tracking number in each row, with or without the carrier."
      }
      actions={
        <>
          <PanelButton disabled={isBusy} onClick={() => (rows ? setRows(null) : onClose())}>
            {rows ? "Back" : "Cancel"}
          </PanelButton>
          {rows ? (
            <PanelButton
              variant="primary"
              busy={ship.busy}
              busyText="Saving..."
              disabled={readyRows.length === 0}
              onClick={() => void shipReadyRows()}
            >
              Ship {readyRows.length === 1 ? "1 order" : `${readyRows.length} orders`}
            </PanelButton>
          ) : (
            <PanelButton
              variant="primary"
              busy={list.busy}
              busyText="Checking..."
              disabled={list.values.text.trim() === ""}
              onClick={() => void check()}
            >
              Check
            </PanelButton>
          )}
        </>
      }
    >
      {rows === null ? (
        <div className="mt-4 grid gap-4">
          <TextArea
            {...list.field("text")}
            label="List"
            rows={7}
            placeholder={"1001, 9400111201080805483016\n1002, 1Z5R89390357567127, UPS"}
            disabled={isBusy}
          />
          <input
            type="file"
            accept=".csv,.tsv,.txt,text/csv,text/plain"
            aria-label="File of your label tool"
            className="text-ui file:mr-3 file:min-h-11 file:rounded-sm file:border file:border-solid file:border-forest-800 file:bg-transparent file:px-4 file:font-medium"
            onChange={async ({ target }) => {
              const file = target.files?.[0];
              if (file) list.set({ text: await file.text() });
            }}
          />
          {list.generalProblem && (
            <Banner title="The list could not be checked.">{list.generalProblem.message}</Banner>
          )}
        </div>
      ) : (
        <div className="mt-4 grid gap-3">
          <p role="status" className="text-ui tabular-nums">
            {readyRows.length} of {rows.length} rows are ready.
          </p>
          <ul className="divide-y divide-line border-y border-line">
            {rows.map(({ line, text, number, carrier, trackingNumber, problem }) => (
              <li key={line} className="py-2.5 text-ui wrap-anywhere">
                <b className="font-semibold">{number === null ? `Row ${line}` : `#${number}`}</b>{" "}
                {problem === null ? `${carrier ?? ""} ${trackingNumber}` : text}
                {problem !== null && <span className="block text-small text-danger">{problem}</span>}
              </li>
            ))}
          </ul>
          <FormFields name="Parcels" busy={isBusy}>
            {needsCarrier && (
              <Select {...ship.field("carrier")} name="import-carrier" label="Carrier of rows without one">
                <Options of={carriers} />
              </Select>
            )}
            <EmailBox {...ship.field("email")} label="Email the customers" />
          </FormFields>
          {ship.problem && <Banner title="Nothing was recorded.">{ship.problem.message}</Banner>}
        </div>
      )}
    </Dialog>
  );
}
