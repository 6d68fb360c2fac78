import type { ReactNode } from "react";
import { Link } from "react-router";
import { noReturnsSentence } from "../../../domain/settings/facts.ts";
import { Fact, useFacts } from "./facts-context.tsx";

/** Every way of shipping, as checkout offers it: a table, or a list of cards where there is no room for one. */
export function DeliveryOptions() {
  const { delivery } = useFacts();
  return (
    <table className="w-full text-left text-base max-md:block md:[&_td]:py-2.5 md:[&_th]:py-2.5">
      <thead className="max-md:sr-only">
        <tr className="[&>th]:font-medium">
          <th scope="col">To</th>
          <th scope="col">Option</th>
          <th scope="col">Delivery</th>
          <th scope="col">Price</th>
        </tr>
      </thead>
      <tbody className="max-md:block">
        {delivery.map(({ id, place, name, days, price, freeFrom }) => (
          <tr
            key={`${place} ${id}`}
            className="border-t border-line max-md:grid max-md:py-3 max-md:[&>*]:py-0.5 [&>td]:text-ink-muted"
          >
            <th scope="row" className="font-medium first-letter:uppercase">
              {place}
            </th>
            <td>{name}</td>
            <td>{days}</td>
            <td className="tabular-nums">
              {price}
              {freeFrom !== null && `, free over ${freeFrom}`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Returns() {
  const { returnDays } = useFacts();
  if (returnDays === 0) return <p>{noReturnsSentence}</p>;
  return (
    <p>
      <Fact name="returnsSentence" /> We refund the full price of the goods. The days count from delivery.
    </p>
  );
}

/** To the form, which is there even where no address is set. */
export function ContactLink({ children }: { children: ReactNode }) {
  return (
    <Link to="/contact-simple" className="link">
      {children}
    </Link>
  );
}

/** How to reach the owner: by what is set, and always by the form. */
export function ContactWays() {
  const { email, phone, location } = useFacts().contact;
  return (
    <>
      {location !== null && <>{location}. </>}
      Reach us{" "}
      {email !== null && (
        <>
          at{" "}
          <a href={`mailto:${email}`} className="link break-all">
            {email}
          </a>
          {phone === null ? " or " : ", "}
        </>
      )}
      {phone !== null && <>by phone at {phone} or </>}
      through the <ContactLink>contact form</ContactLink>.
    </>
  );
}

/** Who handles the payment. */
export function PaymentProvider(): ReactNode {
  return useFacts().isStripe
    ? "Stripe handles our payments. Your card number goes straight from your browser to Stripe and never reaches this shop. Along with it, Stripe gets the amount, your name, email and address, and keeps its own records of the payment."
    : "This shop runs in test mode: payments are simulated, no card is charged, and no payment company is involved.";
}
