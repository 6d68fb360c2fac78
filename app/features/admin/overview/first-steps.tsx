import { Link } from "react-router";
import { ButtonLink } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";

const steps = [
  { to: "/admin/products", label: "Look over your product", why: "its price, words, pictures and stock" },
  {
    to: "/admin/settings",
    label: "Set shipping, tax and contact",
    why: "every page and every order follows them",
  },
  {
    to: "/admin/notifications",
    label: "Choose how you are told",
    why: "by text and email, when an order comes in",
  },
];

/** Where the figures will be once something was sold: what to do first. */
export function FirstSteps() {
  return (
    <Card className="p-[clamp(1.25rem,1rem+2vw,2.5rem)]">
      <h2 className="text-h3">Nothing sold yet: what to do first</h2>
      <p className="mt-2 max-w-150 text-ink-muted">
        Your sales, orders and donations appear here with the first paid order.
      </p>
      <ol className="mt-4 grid gap-1">
        {steps.map(({ to, label, why }, index) => (
          <li key={to} className="flex flex-wrap items-center gap-x-2">
            <Link to={to} className="link inline-flex min-h-11 items-center">
              {index + 1}. {label}
            </Link>
            <span className="text-small text-ink-muted">{why}</span>
          </li>
        ))}
      </ol>
      <ButtonLink to="/admin/go-live" size="small" className="mt-4">
        Run the go-live check
      </ButtonLink>
    </Card>
  );
}
