import ArrowLeftRight from "lucide-react/icons/arrow-left-right";
import Ban from "lucide-react/icons/ban";
import FilePlus from "lucide-react/icons/file-plus";
import Mail from "lucide-react/icons/mail";
import MapPin from "lucide-react/icons/map-pin";
import PackagePlus from "lucide-react/icons/package-plus";
import Pause from "lucide-react/icons/pause";
import Pencil from "lucide-react/icons/pencil";
import Printer from "lucide-react/icons/printer";
import ReceiptText from "lucide-react/icons/receipt-text";
import Repeat from "lucide-react/icons/repeat";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import Truck from "lucide-react/icons/truck";
import Undo2 from "lucide-react/icons/undo-2";
import { useNavigate } from "react-router";
import type { ShipHold } from "../../../../../domain/disputes/dispute.ts";
import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import { hasContactToCorrect } from "../../../../../domain/orders/order-actions.ts";
import { Menu, type MenuEntry } from "../../kit/menu.tsx";
import { useAdminAction } from "../../kit/use-admin-action.ts";
import { useMailNotice } from "../../kit/use-mail-notice.ts";
import { useMayCall, useRights } from "../../rights.ts";
import { slipsPath } from "../parcel.ts";
import type { OrderDialogName } from "./order-dialogs.tsx";

/** Holds that only the bank or the payment provider can end. */
const externalHolds: ReadonlySet<ShipHold> = new Set(["dispute", "fraud", "review"]);

/** Menu of the actions on an order besides its next step. `onOpen` opens an action's dialog. */
export function OrderMenu({
  order,
  onOpen,
}: {
  order: AdminOrder;
  onOpen: (dialog: OrderDialogName) => void;
}) {
  const { may, paidAt, shipHold, erasedAt, fulfilment } = order;
  const { role } = useRights();
  const isPacker = role === "packer";
  const mayHold = useMayCall("POST /api/admin/orders/:id/hold");
  const mayReport = useMayCall("POST /api/admin/orders/:id/problem");
  const mayEditContact = useMayCall("PATCH /api/admin/orders/:id/contact");
  const confirmation = useResend(order.id);
  const mayDraft = useMayCall("POST /api/admin/drafts");
  const navigate = useNavigate();
  const mayReplace = useMayCall("POST /api/admin/orders/:id/replacement");
  const canReplace =
    mayReplace &&
    paidAt !== null &&
    order.cancelledAt === null &&
    erasedAt === null &&
    shipHold !== "dispute";
  const canHold = may.ship && order.hold === null && !(shipHold !== null && externalHolds.has(shipHold));
  const dialogEntry = (
    isShown: boolean,
    name: OrderDialogName,
    label: string,
    glyph: MenuEntry["glyph"],
    isDanger = false,
  ): MenuEntry[] => (isShown ? [{ label, glyph, isDanger, onSelect: () => onOpen(name) }] : []);

  const entries: MenuEntry[] = [
    ...(may.ship || may.correctParcel
      ? [{ label: "Packing slip", glyph: Printer, href: slipsPath([order.id]) }]
      : []),
    ...(paidAt !== null && !isPacker
      ? [{ label: "Receipt", glyph: ReceiptText, href: `/orders/${order.id}` }]
      : []),
    ...(may.resendConfirmation
      ? [{ label: "Resend confirmation", glyph: Mail, busy: confirmation.busy, onSelect: confirmation.send }]
      : []),
    ...dialogEntry(may.editItems, "items", "Edit items", Pencil),
    ...dialogEntry(mayEditContact && hasContactToCorrect(order), "contact", "Edit details", MapPin),
    ...(mayDraft && erasedAt === null
      ? [
          {
            label: "New draft from it",
            glyph: FilePlus,
            onSelect: () => void navigate(`/admin/drafts/new?order=${order.id}`),
          },
        ]
      : []),
    ...dialogEntry(canReplace, "replacement", "Send a replacement", Repeat),
    ...dialogEntry(canReplace, "exchange", "Exchange", ArrowLeftRight),
    ...dialogEntry(may.refund, "refund", "Refund this order", Undo2),
    ...dialogEntry(may.restock && fulfilment !== null, "restock", "Put units back", PackagePlus),
    ...dialogEntry(mayHold && canHold, "hold", "Put on hold", Pause),
    ...dialogEntry(isPacker && mayReport && canHold, "problem", "Something is wrong", TriangleAlert),
    ...dialogEntry(may.ship && shipHold !== null, "anyway", "Ship it anyway", Truck),
    ...dialogEntry(may.cancel, "cancel", "Cancel this order", Ban, true),
  ];
  return <Menu label="More actions" entries={entries} />;
}

function useResend(orderId: string) {
  const mailNotice = useMailNotice();
  const { busy, run } = useAdminAction("POST /api/admin/orders/:id/resend-confirmation", {
    success: {
      title: mailNotice(
        "The confirmation is on its way again",
        "The confirmation is kept, not sent",
        "The confirmation is waiting to be sent",
      ),
      description: mailNotice("To the customer’s email address."),
    },
    failure: "Failed to send the confirmation",
  });
  return { busy, send: () => void run({ params: { id: orderId } }) };
}
