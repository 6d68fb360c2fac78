import type { ReactNode } from "react";
import { isRouteErrorResponse, Link } from "react-router";
import { contactSubjects } from "../../domain/contact/contact.ts";
import type { Customer } from "../../domain/customers/customer.ts";
import { followUpText } from "../../domain/orders/replacement.ts";
import { countryName } from "../../domain/shared/country.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { CustomerActions } from "../features/admin/customers/customer-actions.tsx";
import {
  CustomerConsent,
  CustomerNotes,
  CustomerTags,
  MergedCustomers,
} from "../features/admin/customers/customer-cards.tsx";
import { AdminPage, AdminProblem } from "../features/admin/kit/admin-page.tsx";
import { ShortDay } from "../features/admin/kit/short-day.tsx";
import { panelStatusLabel } from "../features/admin/orders/order-labels.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { Badge } from "../ui/badge.tsx";
import { ButtonLink } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { EmailAddress } from "../ui/email-address.tsx";
import type { Route } from "./+types/admin-customer";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, args.loaderData?.name || "Customer");

export const loader = adminLoader(
  async ({ params: { id } }: Route.LoaderArgs, read) =>
    (await read("GET /api/admin/customers/:id", { params: { id } })).data,
);

export default function AdminCustomer({ loaderData: customer }: Route.ComponentProps) {
  return <CustomerView key={customer.id} customer={customer} />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (!isRouteErrorResponse(error) || (error.status !== 404 && error.status !== 422)) {
    return <AdminProblem page="Customer" title="Failed to load the customer" />;
  }
  return (
    <AdminPage title="Customer not found" back={{ to: "/admin/customers", label: "Customers" }}>
      <p className="mb-5 text-ink-muted">They may have been deleted at their own request.</p>
      <ButtonLink variant="secondary" size="small" to="/admin/customers">
        All customers
      </ButtonLink>
    </AdminPage>
  );
}

const linkClass = "link inline-flex min-h-6 items-center max-md:-my-1 max-md:min-h-11 wrap-anywhere";

/** Everything about one customer: contact, orders, messages, reviews and consents. */
function CustomerView({ customer }: { customer: Customer }) {
  const { name, email, recentOrders, messages, reviews, questions, refillReminders } = customer;
  return (
    <AdminPage
      title={<span className="wrap-anywhere">{name || email}</span>}
      back={{ to: "/admin/customers", label: "Customers" }}
      menu={<CustomerActions customer={customer} />}
    >
      <Figures customer={customer} />
      <div className="mt-6 stack items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem] xl:grid-rows-[auto_1fr]">
        <Contact customer={customer} />
        <div className="grid min-w-0 gap-6 xl:col-start-1 xl:row-span-2 xl:row-start-1">
          <Part
            title="Orders"
            emptyText="No orders."
            isEmpty={recentOrders.length === 0}
            more={
              customer.orders > recentOrders.length && (
                <Link className={linkClass} to={`/admin/orders?status=all&q=${encodeURIComponent(email)}`}>
                  All orders
                </Link>
              )
            }
          >
            {recentOrders.map((order) => (
              <Row key={order.id} to={`/admin/orders/${order.id}?status=all`}>
                <span className="flex flex-wrap justify-between gap-x-4">
                  <span className="font-medium">
                    #{order.number} · {panelStatusLabel(order.status)}
                  </span>
                  <span className="tabular-nums">
                    {formatCents(order.totalCents)}
                    {order.refundedCents > 0 && order.refundedCents < order.totalCents && (
                      <span className="whitespace-nowrap text-small text-ink-muted">
                        {" "}
                        −{formatCents(order.refundedCents)} refunded
                      </span>
                    )}
                  </span>
                </span>
                <span className="flex flex-wrap justify-between gap-x-4 text-small text-ink-muted">
                  <span>
                    {order.items.join(", ")}
                    {order.followUp && `. ${followUpText(order.followUp)}`}
                  </span>
                  <ShortDay iso={order.createdAt} />
                </span>
              </Row>
            ))}
          </Part>
          <Part title="Messages" isEmpty={messages.length === 0}>
            {messages.map((message) => (
              <Row key={message.id} to={`/admin/messages/${message.id}?show=all`}>
                <span className="flex flex-wrap justify-between gap-x-4">
                  <span className="font-medium">
                    {contactSubjects[message.subject]} · {message.reference}
                  </span>
                  <Badge tone={message.status === "open" ? "yellow" : "cream"}>
                    {message.status === "open" ? "Open" : "Done"}
                  </Badge>
                </span>
                <span className="line-clamp-2 text-small text-ink-muted">{message.message}</span>
              </Row>
            ))}
          </Part>
          <Part title="Reviews" isEmpty={reviews.length === 0}>
            {reviews.map((review) => (
              <Row key={review.id} to="/admin/reviews">
                <span className="font-medium">
                  {review.rating} of 5 · {review.productName}
                </span>
                <span className="line-clamp-2 text-small text-ink-muted">{review.comment}</span>
              </Row>
            ))}
          </Part>
          <Part title="Questions" isEmpty={questions.length === 0}>
            {questions.map((question) => (
              <Row key={question.id} to="/admin/questions">
                <span className="font-medium">{question.productName}</span>
                <span className="line-clamp-2 text-small text-ink-muted">{question.question}</span>
              </Row>
            ))}
          </Part>
          <Card className="p-4 md:p-5">
            <CustomerNotes customer={customer} />
          </Card>
        </div>
        <div className="grid min-w-0 gap-6">
          <Card className="p-4 md:p-5">
            <CustomerTags customer={customer} />
          </Card>
          <Card className="p-4 md:p-5">
            <CustomerConsent customer={customer} />
            {refillReminders.length > 0 && (
              <p className="mt-4 border-t border-line pt-4 text-small">
                Wants to be reminded of a refill of{" "}
                {refillReminders.map(({ number }) => `#${number}`).join(", ")}.
              </p>
            )}
          </Card>
          {customer.merges.length > 0 && (
            <Card className="p-4 md:p-5">
              <MergedCustomers customer={customer} />
            </Card>
          )}
        </div>
      </div>
    </AdminPage>
  );
}

function Figures({ customer }: { customer: Customer }) {
  const { orders, valueCents, refundedCents, firstOrderAt, lastOrderAt } = customer;
  return (
    <dl
      className={`grid grid-cols-2 gap-px overflow-clip rounded-md border border-line bg-line ${orders > 1 ? "lg:grid-cols-4" : "md:grid-cols-3"}`}
    >
      <Figure label="Spent" more={refundedCents > 0 && `after ${formatCents(refundedCents)} refunded`}>
        {formatCents(valueCents)}
      </Figure>
      <Figure
        label="Paid orders"
        more={orders > 1 && `${formatCents(Math.round(valueCents / orders))} each on average`}
      >
        {orders}
      </Figure>
      {orders > 1 && firstOrderAt !== null && (
        <Figure label="First order">
          <ShortDay iso={firstOrderAt} />
        </Figure>
      )}
      <Figure
        label={orders === 1 ? "Ordered" : "Last order"}
        className={orders > 1 ? "" : "max-md:col-span-2"}
      >
        {lastOrderAt === null ? "None" : <ShortDay iso={lastOrderAt} />}
      </Figure>
    </dl>
  );
}

function Figure({
  label,
  more,
  className = "",
  children,
}: {
  label: string;
  more?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  return (
    <div className={`bg-surface px-4 py-3.5 ${className}`}>
      <dt className="text-small text-ink-muted">{label}</dt>
      <dd className="type-display text-h3 whitespace-nowrap lining-nums max-[24rem]:text-[1.0625rem]">
        {children}
      </dd>
      {more && <dd className="text-small text-ink-muted">{more}</dd>}
    </div>
  );
}

function Contact({ customer: { emails, phone, city, country } }: { customer: Customer }) {
  const place = [city, country && (countryName(country) ?? country)].filter(Boolean).join(", ");
  return (
    <Card className="p-4 md:p-5 xl:col-start-2">
      <h2 className="mb-2 font-sans text-ui font-semibold tracking-normal">Contact</h2>
      <ul className="text-ui">
        {emails.map((email) => (
          <li key={email}>
            <a className={linkClass} href={`mailto:${email}`}>
              <EmailAddress>{email}</EmailAddress>
            </a>
          </li>
        ))}
        {phone && (
          <li>
            <a className={linkClass} href={`tel:${phone.replace(/[^\d+]/g, "")}`}>
              {phone}
            </a>
          </li>
        )}
      </ul>
      {place && <p className="text-ui text-ink-muted">{place}</p>}
    </Card>
  );
}

/** A list about the customer. `emptyText` replaces an empty list; without it, an empty list is not rendered. */
function Part({
  title,
  isEmpty,
  emptyText,
  more,
  children,
}: {
  title: string;
  isEmpty: boolean;
  emptyText?: string;
  more?: ReactNode;
  children: ReactNode;
}) {
  if (isEmpty && emptyText === undefined) return null;
  return (
    <section>
      <div className="mb-2 flex items-center justify-between gap-4">
        <h2 className="font-sans text-body font-semibold tracking-normal">{title}</h2>
        {more}
      </div>
      {isEmpty ? (
        <p className="text-small text-ink-muted">{emptyText}</p>
      ) : (
        <ul className="overflow-clip rounded-md border border-line bg-surface">{children}</ul>
      )}
    </section>
  );
}

function Row({ to, children }: { to: string; children: ReactNode }) {
  return (
    <li className="border-t border-line first:border-t-0">
      <Link
        to={to}
        className="grid gap-0.5 px-4 py-3 wrap-anywhere no-underline -outline-offset-2! hover:bg-cream-soft/60"
      >
        {children}
      </Link>
    </li>
  );
}
