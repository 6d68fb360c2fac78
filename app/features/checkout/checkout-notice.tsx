import { useEffect, useRef } from "react";
import { useRouteLoaderData } from "react-router";
import { waitText } from "../../../domain/shared/wait-text.ts";
import type { loader } from "../../root.tsx";
import { Banner } from "../../ui/error-banner.tsx";
import { lineProblem } from "../cart/cart-line.tsx";
import { useCart } from "../cart/cart-store.ts";
import { countryFields } from "./address/address-form.ts";
import type { FieldProblems, NoticeCause } from "./checkout-request.ts";
import type { CheckoutNotice } from "./use-checkout.ts";
import { useTotalText } from "./use-total-text.ts";

/** Explains why the order could not be made and what to do; receives the focus after each attempt. */
export function NoticeBanner({
  notice: { cause, attempt },
  country,
  problems,
  totalCents,
}: {
  notice: CheckoutNotice;
  country: string;
  problems: FieldProblems;
  totalCents: number;
}) {
  const banner = useRef<HTMLDivElement>(null);
  const totalText = useTotalText();
  const pausedText = useRouteLoaderData<typeof loader>("root")?.pausedText;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt is announced, even with the same text
  useEffect(() => banner.current?.focus(), [attempt]);
  const frame = { ref: banner, tabIndex: -1, className: "mb-10" };

  switch (cause.kind) {
    case "fields": {
      // Each field shows its own error; the notice links to the first.
      const [first, ...others] = countryFields(country).filter((field) => problems[field]);
      return first === undefined ? null : (
        <Banner
          {...frame}
          title={cause.isIncomplete ? "Please fill out all required fields" : "Please check these fields"}
        >
          <span className="block">
            <a
              href={`#${first}`}
              className="font-medium underline underline-offset-[.25em]"
              onClick={(event) => {
                event.preventDefault();
                document.getElementById(first)?.focus();
              }}
            >
              {problems[first]}
            </a>
            {others.length > 0 && (
              <>
                {" "}
                and <span className="whitespace-nowrap">{others.length} more below</span>
              </>
            )}
          </span>
        </Banner>
      );
    }
    case "price_changed":
      return (
        <Banner {...frame} tone="warning" role="alert" title="A price has changed.">
          {cause.refusedDiscount && <p>“{cause.refusedDiscount}” can’t be used for this order.</p>}
          <p>The new total is {totalText(totalCents)}. Continue if that’s okay with you.</p>
        </Banner>
      );
    case "discount":
      return (
        <Banner {...frame} tone="warning" role="alert" title="Your discount code wasn’t applied.">
          <p>
            {cause.problem} Without it, the total is {totalText(totalCents)}. Continue if that’s okay with
            you.
          </p>
        </Banner>
      );
    case "closed":
      return (
        <Banner {...frame} tone="warning" role="alert" title="The order you were paying for has closed.">
          <p>Nothing was charged, and what you entered is saved. Continue to payment to order again.</p>
        </Banner>
      );
    case "lines":
      return <LineNotice frame={frame} />;
    case "failed":
      if (cause.problem.error === "unavailable") {
        return (
          <Banner {...frame} tone="warning" role="alert" title="Checkout is paused for a moment.">
            <p>
              Your cart is safe, what you entered is saved, and nothing was charged. Please try again in a
              minute.
            </p>
          </Banner>
        );
      }
      // New orders are paused: trying again would not help.
      if (cause.problem.message === pausedText) {
        return (
          <Banner {...frame} tone="warning" role="alert" title={cause.problem.message}>
            <p>Nothing was charged, and what you entered is saved.</p>
          </Banner>
        );
      }
      return (
        <Banner {...frame} title="Could not initialize payment. Please try again.">
          <p>{adviceFor(cause.problem)}</p>
        </Banner>
      );
  }
}

function LineNotice({
  frame,
}: {
  frame: { ref: React.Ref<HTMLDivElement>; tabIndex: number; className: string };
}) {
  const { items, setQuantity, remove } = useCart();
  const blockedLines = items.flatMap((item) => {
    const problem = lineProblem(item);
    return problem ? [{ ...item.product, ...problem }] : [];
  });
  if (blockedLines.length === 0) return null;
  const adjust = () => {
    for (const { id, buyable } of blockedLines) buyable > 0 ? setQuantity(id, buyable) : remove(id);
  };
  return (
    <Banner {...frame} title="Some items aren’t available right now.">
      <ul>
        {blockedLines.map(({ id, name, text }) => (
          <li key={id}>
            {name}: {text}
          </li>
        ))}
      </ul>
      <p className="-mb-2.5">
        <button
          type="button"
          className="inline-flex min-h-11 items-center font-medium underline underline-offset-[.25em]"
          onClick={adjust}
        >
          Adjust my cart
        </button>
      </p>
    </Banner>
  );
}

function adviceFor({
  status,
  message,
  retryAfterSeconds,
}: Extract<NoticeCause, { kind: "failed" }>["problem"]) {
  if (status === 429) {
    return `Too many attempts in a short time. Please wait ${waitText(retryAfterSeconds ?? 60)}.`;
  }
  if (status >= 500) return "Nothing was charged, and what you entered is saved.";
  return message;
}
