import Copy from "lucide-react/icons/copy";
import Pencil from "lucide-react/icons/pencil";
import { lazy, Suspense, useState } from "react";
import { Link } from "react-router";
import { addressLines } from "../../../../../domain/address/address-format.ts";
import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import { Button } from "../../../../ui/button.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { GiftNote } from "../../../orders/gift-note.tsx";
import { copyAddress } from "../../kit/copy.tsx";
import { DrawerSection } from "../../kit/drawer.tsx";
import { useMay, useMayOpen, useRights } from "../../rights.ts";

// Loaded when it is opened, as it contains the address rules of all countries.
const ContactDialog = lazy(() => import("./contact-dialog.tsx"));

/** High enough for a thumb on touch screens. */
const linkClass = "link inline-flex min-h-6 items-center max-md:min-h-11";

/** The buyer and the shipping address. */
export function OrderCustomer({ order }: { order: AdminOrder }) {
  const { role } = useRights();
  const mayOpen = useMayOpen();
  const isErased = order.erasedAt !== null;
  const lines = addressLines(order);
  const [isEditing, setEditing] = useState(false);
  const mayEdit = useMay("PATCH /api/admin/orders/:id/contact");
  return (
    <DrawerSection title="Customer">
      <p className="wrap-anywhere">{(!isErased && order.customerName) || "Anonymous"}</p>
      {role !== "packer" && (
        <p className="wrap-anywhere">
          {!isErased && order.email ? (
            <a className={linkClass} href={`mailto:${order.email}`}>
              {order.email}
            </a>
          ) : (
            <span className="text-ink-muted">No email</span>
          )}
        </p>
      )}
      {!isErased && order.email && order.paidAt !== null && mayOpen("/admin/customers") && (
        <p>
          <Link className={linkClass} to={`/admin/customers?q=${encodeURIComponent(order.email)}`}>
            Customer page
          </Link>
        </p>
      )}
      {order.phone && (
        <p>
          <a className={linkClass} href={`tel:${order.phone.replace(/[^\d+]/g, "")}`}>
            {order.phone}
          </a>
          {order.phoneDoubt && (
            <span className="block text-small text-ink-muted">
              This may not be a complete phone number. Ask the buyer before a carrier needs it.
            </span>
          )}
        </p>
      )}
      <address className="mt-2 wrap-anywhere text-ink-muted not-italic">
        {lines.slice(1).map((line) => (
          <span key={line} className="block">
            {line}
          </span>
        ))}
      </address>
      {order.gift && !isErased && (
        <div className="mt-3">
          <p className="text-small text-ink-muted">
            A gift: name, phone and address are the recipient’s, the email is the buyer’s. The packing slip
            carries the note.
          </p>
          <GiftNote gift={order.gift} className="mt-2" />
        </div>
      )}
      <p className="mt-2 text-small text-ink-muted">{order.shippingOption.name} shipping</p>
      <p className="flex flex-wrap items-center gap-x-8">
        {!isErased && (
          <Button
            variant="quiet"
            size="small"
            className="-mx-[1.1rem]"
            onClick={() =>
              void copyAddress(
                lines,
                "Your browser does not allow it here. Please select and copy it by hand.",
              )
            }
          >
            <Icon glyph={Copy} size="small" /> Copy address
          </Button>
        )}
        {!isErased && order.paidAt !== null && mayEdit && (
          <Button variant="quiet" size="small" className="-mx-[1.1rem]" onClick={() => setEditing(true)}>
            <Icon glyph={Pencil} size="small" /> Edit details
          </Button>
        )}
      </p>
      {isEditing && (
        <Suspense>
          <ContactDialog order={order} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </DrawerSection>
  );
}
