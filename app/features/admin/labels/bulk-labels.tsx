import { useState } from "react";
import { Link, useRevalidator } from "react-router";
import type { LabelJob } from "../../../../domain/labels/labels.ts";
import type { AdminOrderRow } from "../../../../domain/orders/admin-orders.ts";
import { usePolling } from "../../../ui/browser/use-polling.ts";
import { buttonClass } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { type ApiProblem, callApi } from "../../api.ts";
import { PanelButton } from "../kit/action-button.tsx";
import { Switch } from "../kit/switch.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { withUnlock } from "../shell/session-dialogs.tsx";
import { PrintLabel } from "./print-label.tsx";

const pollMs = 1_000;

/** Buys a label for each chosen order, with progress; orders without one are listed with the reason. */
export function BulkLabels({ orders, onClose }: { orders: AdminOrderRow[]; onClose: () => void }) {
  // A copy: orders that ship disappear from the list behind the dialog, but stay in the dialog.
  const [rows] = useState(orders);
  const [jobId, setJobId] = useState<string | null>(null);
  const [job, setJob] = useState<LabelJob | null>(null);
  const [pollProblem, setPollProblem] = useState<ApiProblem | null>(null);
  const [withSlips, setWithSlips] = useState(false);
  const start = useAdminAction("POST /api/admin/labels", { failure: null, reloads: false });
  const { revalidate } = useRevalidator();
  const isRunning = jobId !== null && job?.status !== "done";
  usePolling(isRunning && pollProblem === null, pollJob, pollMs);

  async function pollJob() {
    const params = { id: jobId ?? "" };
    const response = await withUnlock(() => callApi("GET /api/admin/labels/jobs/:id", { params }));
    if (!response.ok) {
      const { status } = response.problem;
      // Polling goes on while the shop cannot be reached.
      if (status === 401 || status === 403 || status === 404) setPollProblem(response.problem);
      return;
    }
    setJob(response.body.data);
    if (response.body.data.status === "done") await revalidate();
  }

  async function startPurchase() {
    const response = await start.run({ body: { orderIds: rows.map(({ orderId }) => orderId) } });
    if (!response.ok) return;
    setJob(null);
    setJobId(response.body.data.jobId);
  }

  const boughtLabelIds = job?.rows.flatMap(({ labelId }) => labelId ?? []) ?? [];
  const failedRows = job?.rows.filter(({ problem }) => problem !== undefined) ?? [];
  const labelsText = (count: number) => (count === 1 ? "1 label" : `${count} labels`);
  return (
    <Dialog
      onClose={() => start.busy || onClose()}
      title="Buy labels"
      description={
        jobId === null
          ? "Each order gets the cheapest service that keeps its promised day. Orders that fail are listed with the reason, and do not stop the others."
          : isRunning
            ? "You can close this: the purchase continues."
            : boughtLabelIds.length > 0
              ? "Print them now, or later in each order."
              : undefined
      }
      actions={
        <>
          <PanelButton disabled={start.busy} onClick={onClose}>
            Close
          </PanelButton>
          {jobId === null && (
            <PanelButton
              variant="primary"
              busy={start.busy}
              busyText="Starting..."
              onClick={() => void startPurchase()}
            >
              Buy {labelsText(rows.length)}
            </PanelButton>
          )}
          {/* Buys labels only for the orders that still have none. */}
          {job?.status === "done" && failedRows.length > 0 && (
            <PanelButton busy={start.busy} busyText="Starting..." onClick={() => void startPurchase()}>
              Try {failedRows.length} again
            </PanelButton>
          )}
          {job?.status === "done" && job.pdfUrl && (
            <PrintLabel
              labelIds={boughtLabelIds}
              url={withSlips ? `${job.pdfUrl}?slips=1` : job.pdfUrl}
              className={buttonClass({ size: "small" })}
            >
              Print {labelsText(boughtLabelIds.length)}
            </PrintLabel>
          )}
        </>
      }
    >
      {start.problem && (
        <Banner className="mt-4" title="No label was bought.">
          {start.problem.message}
        </Banner>
      )}
      {pollProblem && (
        <Banner className="mt-4" title="The progress can’t be shown.">
          {pollProblem.message}
        </Banner>
      )}
      {jobId !== null && (
        <>
          <p role="status" className="mt-4 text-ui tabular-nums">
            {isRunning ? "Buying: " : "Done: "}
            {boughtLabelIds.length} of {rows.length} bought
            {failedRows.length > 0 && `, ${failedRows.length} failed`}.
          </p>
          <progress
            className="mt-2 w-full"
            aria-label="Labels bought"
            max={rows.length}
            value={boughtLabelIds.length + failedRows.length}
          />
        </>
      )}
      {job?.status === "done" && boughtLabelIds.length > 0 && (
        <div className="mt-3">
          <Switch name="label-slips" label="With packing slips" checked={withSlips} onChange={setWithSlips} />
        </div>
      )}
      {failedRows.length > 0 && (
        <section aria-label="Not bought" className="mt-4">
          <h3 className="font-sans text-ui font-semibold">Not bought</h3>
          <ul className="mt-1 divide-y divide-line border-y border-line">
            {failedRows.map(({ orderId, number, problem }) => (
              <li key={orderId} className="py-2.5 text-ui wrap-anywhere">
                <Link className="link font-medium" to={`/admin/orders/${orderId}?status=to_ship`}>
                  Order {number === null ? orderId : `#${number}`}
                </Link>{" "}
                {problem}
              </li>
            ))}
          </ul>
        </section>
      )}
    </Dialog>
  );
}
