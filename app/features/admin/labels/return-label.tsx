import Ticket from "lucide-react/icons/ticket";
import type { OrderLabelList } from "../../../../domain/labels/labels.ts";
import { isParcelExpected, type OrderReturn } from "../../../../domain/orders/order-return.ts";
import { Icon } from "../../../ui/icon.tsx";
import { DialogButton } from "../kit/action-button.tsx";
import { May } from "../rights.ts";
import { LabelDialog } from "./buy-label.tsx";
import { LabelItem } from "./order-labels.tsx";

/** The label of a return, or a button that buys one and e-mails it to the buyer. */
export function ReturnLabel({
  order: { id, number },
  request,
  list: { labels, returnShipping },
}: {
  order: { id: string; number: number };
  request: OrderReturn;
  list: OrderLabelList;
}) {
  const returnLabels = labels.filter(({ returnId }) => returnId === request.id);
  const needsLabel = returnLabels.every(({ state }) => state === "failed" || state === "voided");
  return (
    <>
      {returnLabels.map((label) => (
        <div key={label.labelId} className="mt-3 rounded-sm bg-cream p-3.5">
          <LabelItem orderId={id} label={label} />
        </div>
      ))}
      {needsLabel && isParcelExpected(request) && (
        // Packers may not answer returns.
        <May call="PATCH /api/admin/returns/:id">
          <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <p className="min-w-0 basis-60 grow text-small leading-snug text-ink-muted">
              {returnShipping === "buyer"
                ? "By your settings, buyers pay for returns. Send a label if what you sent was damaged or wrong."
                : "The customer gets the label by email, and prints it on the order’s page. You pay its postage."}
            </p>
            <DialogButton
              className="max-sm:w-full"
              dialog={(onClose) => (
                <LabelDialog order={{ id, number, shipHold: null }} returnId={request.id} onClose={onClose} />
              )}
            >
              <Icon glyph={Ticket} size="small" /> Send return label
            </DialogButton>
          </div>
        </May>
      )}
    </>
  );
}
