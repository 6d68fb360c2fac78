import Mail from "lucide-react/icons/mail";
import PackagePlus from "lucide-react/icons/package-plus";
import { useState } from "react";
import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import { Button } from "../../../../ui/button.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { ConfirmDialog } from "../../kit/confirm-dialog.tsx";
import { useAdminAction } from "../../kit/use-admin-action.ts";
import { useAdminForm } from "../../kit/use-admin-form.ts";
import { useMailWords } from "../../kit/use-mail-words.ts";
import { useRights } from "../../rights.ts";
import { ReceiptLink, SlipsLink } from "../print-links.tsx";
import { CancelOrder } from "./cancel-order.tsx";
import { DrawerSection } from "./drawer-section.tsx";
import { OrderHold } from "./order-hold.tsx";
import { type RestockDraft, RestockFields, restockOf } from "./restock-fields.tsx";

/** Actions available in any state of an order. */
export function OrderMore({ order }: { order: AdminOrder }) {
  const [asked, setAsked] = useState<"cancel" | "restock" | null>(null);
  const { may, paidAt } = order;
  const { role } = useRights();
  return (
    <DrawerSection title="Actions">
      <div className="flex flex-wrap gap-2">
        {(may.ship || may.correctParcel) && <SlipsLink orderIds={[order.id]} />}
        {paidAt !== null && role !== "packer" && <ReceiptLink orderId={order.id} />}
        {may.resendConfirmation && <Resend orderId={order.id} />}
        {may.restock && order.fulfilment !== null && (
          <Button variant="secondary" size="small" onClick={() => setAsked("restock")}>
            <Icon glyph={PackagePlus} size="small" /> Put units back
          </Button>
        )}
        <OrderHold order={order} />
        {may.cancel && (
          <Button variant="danger-quiet" size="small" onClick={() => setAsked("cancel")}>
            Cancel this order
          </Button>
        )}
      </div>
      {asked === "cancel" && <CancelOrder order={order} onClose={() => setAsked(null)} />}
      {asked === "restock" && <RestockOrder order={order} onClose={() => setAsked(null)} />}
    </DrawerSection>
  );
}

function Resend({ orderId }: { orderId: string }) {
  const mailWords = useMailWords();
  const { busy, run } = useAdminAction("POST /api/admin/orders/:id/resend-confirmation", {
    success: {
      title: mailWords(
        "The confirmation is on its way again",
        "The confirmation is kept, not sent",
        "The confirmation waits to be sent",
      ),
      description: mailWords("To the customer’s email address."),
    },
    failure: "Failed to send the confirmation",
  });
  return (
    <Button
      variant="secondary"
      size="small"
      busy={busy}
      busyText="Sending..."
      onClick={() => void run({ params: { id: orderId } })}
    >
      <Icon glyph={Mail} size="small" /> Resend confirmation
    </Button>
  );
}

/** Restocks units of a parcel that came back, without a refund. */
function RestockOrder({ order, onClose }: { order: AdminOrder; onClose: () => void }) {
  const form = useAdminForm(
    "POST /api/admin/orders/:id/restock",
    { restock: {} as RestockDraft },
    { success: { title: "The units are back on the shelf" } },
  );
  const { busy, problem } = form;
  const restock = restockOf(form.values.restock);

  async function bookRestock() {
    if (restock === null) return;
    return form.run({ params: { id: order.id }, body: { restock } });
  }

  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Put units back on the shelf"
      description="Choose what came back and can be sold again. No money is given back with this."
      confirmLabel="Put back"
      busyText="Saving..."
      form={{ busy, problem }}
      danger={false}
      disabled={restock === null}
      send={bookRestock}
    >
      <div className="mt-4">
        <RestockFields {...form.field("restock")} items={order.items} disabled={busy} />
      </div>
    </ConfirmDialog>
  );
}
