import type { Customer } from "../../../../domain/customers/customer.ts";
import { Badge } from "../../../ui/badge.tsx";
import { ShortDay } from "../kit/short-day.tsx";

const states = {
  confirmed: { label: "Subscribed", tone: "green" },
  unconfirmed: { label: "Not confirmed", tone: "yellow" },
  unsubscribed: { label: "Unsubscribed", tone: "cream" },
} as const;
const places = { footer: "at the foot of a page", success: "after paying" };
/** Kinds of optional e-mails, as an answer to "No ...". */
const kinds: Record<string, string> = {
  newsletter: "newsletter",
  review_request: "requests for reviews",
  cart_reminder: "reminders of carts",
  stock_alert: "word of stock",
  refill_reminder: "refill reminders",
};

/** The newsletter, with the record that proves the wish for it, and what they do not want to get. */
export function CustomerConsent({ customer: { subscriptions, unsubscribed } }: { customer: Customer }) {
  return (
    <>
      <h2 className="mb-2 font-sans text-ui font-semibold tracking-normal">Newsletter and emails</h2>
      {subscriptions.length === 0 && (
        <p className="text-small text-ink-muted">Never signed up for the newsletter.</p>
      )}
      <ul className="grid gap-3">
        {subscriptions.map((one) => (
          <li key={one.id} className="text-small">
            <p className="flex flex-wrap items-center gap-2">
              <Badge tone={states[one.state].tone}>{states[one.state].label}</Badge>
              {subscriptions.length > 1 && <span className="wrap-anywhere">{one.email}</span>}
            </p>
            <p className="mt-1 text-ink-muted">
              Signed up <ShortDay iso={one.askedAt} withTime /> {places[one.place]}
              {one.confirmedAt !== null && (
                <>
                  , confirmed <ShortDay iso={one.confirmedAt} withTime />
                  {one.confirmedNetwork && ` from ${one.confirmedNetwork}`}
                </>
              )}
              . Agreed to “{one.consentText}”
            </p>
          </li>
        ))}
      </ul>
      {unsubscribed.length > 0 && (
        <ul className="mt-3 grid gap-1 text-small text-ink-muted">
          {unsubscribed.map(({ email, kind, at }) => (
            <li key={`${email} ${kind}`} className="wrap-anywhere">
              No {kinds[kind] ?? kind} since <ShortDay iso={at} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
