import type { LucideIcon } from "lucide-react";
import ArrowRight from "lucide-react/icons/arrow-right";
import MailSearch from "lucide-react/icons/mail-search";
import MessageCircle from "lucide-react/icons/message-circle";
import Package from "lucide-react/icons/package";
import { Link } from "react-router";
import { Icon } from "../../ui/icon.tsx";

/** Where to go from the account page, as rows on hairlines. */
export function AccountLinks({ ordersCount }: { ordersCount: number }) {
  const placed = ordersCount === 1 ? "1 order" : `${ordersCount} orders`;
  return (
    <ul>
      <Row to="/orders" glyph={Package} name="My Orders">
        {ordersCount > 0 ? `${placed} kept with this browser` : "Orders placed from this browser"}
      </Row>
      <Row to="/orders#find" glyph={MailSearch} name="Find my order">
        Get a link by email
      </Row>
      <Row to="/contact" glyph={MessageCircle} name="Contact Us">
        Questions about an order or the oil
      </Row>
    </ul>
  );
}

function Row({
  to,
  glyph,
  name,
  children,
}: {
  to: string;
  glyph: LucideIcon;
  name: string;
  children: string;
}) {
  return (
    <li className="border-t border-line last:border-b">
      <Link
        to={to}
        className="group grid min-h-21 grid-cols-[28px_1fr_auto] items-center gap-4 py-3 no-underline"
      >
        <Icon glyph={glyph} />
        <span>
          <span className="block type-display text-h3">{name}</span>
          <span className="text-small text-ink-muted">{children}</span>
        </span>
        <Icon
          glyph={ArrowRight}
          className="transition-transform duration-(--dur-2) ease-out group-hover:translate-x-[3px]"
        />
      </Link>
    </li>
  );
}
