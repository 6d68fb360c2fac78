import Copy from "lucide-react/icons/copy";
import { Link } from "react-router";
import { addressLines } from "../../../../../domain/address/address-format.ts";
import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import { hasContactToCorrect } from "../../../../../domain/orders/order-actions.ts";
import { sourceText } from "../../../../../domain/orders/source.ts";
import { EmailAddress } from "../../../../ui/email-address.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { TextButton } from "../../../../ui/text-button.tsx";
import { GiftNote } from "../../../orders/gift-note.tsx";
import { copyAddress } from "../../kit/copy.tsx";
import { squareClass } from "../../kit/menu.tsx";
import { useMayCall, useMayOpen, useRights } from "../../rights.ts";
import { CountryTag, PhoneDoubt } from "../order-marks.tsx";
import { OrderCard } from "./order-card.tsx";

/** A link tall enough for touch screens. */
const linkClass = "link inline-flex min-h-6 items-center max-md:-my-1 max-md:min-h-11";

/** Recipient and address for the parcel. */
export function ShipTo({ order, onEdit }: { order: AdminOrder; onEdit: () => void }) {
  const { role } = useRights();
  const isErased = order.erasedAt !== null;
  const lines = addressLines(order);
  const country = order.shipping?.country;
  const mayEdit = useMayCall("PATCH /api/admin/orders/:id/contact");
  return (
    <section aria-label="Ship to" className="min-w-0 p-4 lg:p-5">
      <div className="flex items-start justify-between gap-3">
        <address className="min-w-0 text-lead leading-snug wrap-anywhere not-italic">
          <span className="block font-semibold">{(!isErased && order.customerName) || "Anonymous"}</span>
          {lines.slice(1, country ? -1 : undefined).map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines may be equal and never move
            <span key={index} className="block">
              {line}
            </span>
          ))}
          {country && (
            <span className="block text-ui">
              <CountryTag code={country} />
            </span>
          )}
        </address>
        {!isErased && (
          <button
            type="button"
            aria-label="Copy address"
            className={squareClass}
            onClick={() =>
              void copyAddress(
                lines,
                "Your browser does not allow copying here. Please select the address and copy it.",
              )
            }
          >
            <Icon glyph={Copy} />
          </button>
        )}
      </div>
      {!order.isExpedited && (
        <p className="mt-1 text-small text-ink-muted">{order.shippingOption.name} shipping</p>
      )}
      {role === "packer" && order.phone && (
        <p className="mt-1 text-small">
          {order.phone}
          {order.phoneDoubt && <PhoneDoubt />}
        </p>
      )}
      {order.gift && !isErased && (
        <div className="mt-3">
          <p className="text-small text-ink-muted">
            A gift: name, phone and address are the recipient’s, the email is the buyer’s. The note is printed
            on the packing slip.
          </p>
          <GiftNote gift={order.gift} className="mt-2" />
        </div>
      )}
      {hasContactToCorrect(order) && mayEdit && (
        <TextButton className="-mb-3 max-lg:hidden" onClick={onEdit}>
          Edit details
        </TextButton>
      )}
    </section>
  );
}

/** The buyer's name, e-mail address and phone. */
export function OrderCustomer({ order }: { order: AdminOrder }) {
  const mayOpen = useMayOpen();
  const isErased = order.erasedAt !== null;
  return (
    <OrderCard title="Customer">
      <p className="text-ui wrap-anywhere">{(!isErased && order.customerName) || "Anonymous"}</p>
      <p className="text-ui wrap-anywhere">
        {!isErased && order.email ? (
          <a className={linkClass} href={`mailto:${order.email}`}>
            <EmailAddress>{order.email}</EmailAddress>
          </a>
        ) : (
          <span className="text-ink-muted">No email</span>
        )}
      </p>
      {order.phone && (
        <p className="text-ui">
          <a className={linkClass} href={`tel:${order.phone.replace(/[^\d+]/g, "")}`}>
            {order.phone}
          </a>
          {order.phoneDoubt && <PhoneDoubt />}
        </p>
      )}
      {!isErased && order.email && order.paidAt !== null && mayOpen("/admin/customers") && (
        <p className="text-ui">
          <Link className={linkClass} to={`/admin/customers?q=${encodeURIComponent(order.email)}`}>
            Customer page
          </Link>
        </p>
      )}
      {order.source && (
        <p className="mt-1 text-small wrap-anywhere text-ink-muted">Came from {sourceText(order.source)}</p>
      )}
    </OrderCard>
  );
}
