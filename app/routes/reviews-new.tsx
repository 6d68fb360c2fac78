import { useEffect, useRef, useState } from "react";
import { data, Form, useNavigation } from "react-router";
import { sendReviewForm } from "../features/reviews/write/review-action.ts";
import { noEntries } from "../features/reviews/write/review-entries.ts";
import { ReviewFields } from "../features/reviews/write/review-fields.tsx";
import { ReviewNotice } from "../features/reviews/write/review-notice.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { apiContext, shopContext } from "../shop-context.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { Select } from "../ui/select.tsx";
import type { Route } from "./+types/reviews-new";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Write a Review");

// The address may hold the token of an e-mailed link.
export const headers: Route.HeadersFunction = () => ({
  "Cache-Control": "private, no-store",
  "Referrer-Policy": "no-referrer",
});

export async function loader({ request, context }: Route.LoaderArgs) {
  const shop = context.get(shopContext);
  const asked = new URL(request.url).searchParams;
  const token = asked.get("review");
  const [all, invited] = await Promise.all([
    shop.productNames(),
    token === null ? null : shop.reviewInvitation(token),
  ]);
  const chosen = all.filter(({ slug }) => slug === asked.get("product"));
  const products = chosen.length > 0 ? chosen : all;
  if (products.length === 0) throw data(null, { status: 404 });
  // The stars tapped in an e-mail are preselected; only the button sends the review.
  const rating = /^[1-5]$/.test(asked.get("rating") ?? "") ? Number(asked.get("rating")) : null;
  return { products, token, rating, suggestedName: invited?.suggestedName ?? "" };
}

export function action({ request, context }: Route.ActionArgs) {
  return sendReviewForm(request, context.get(apiContext));
}

/** The review form for links of e-mails and browsers without JavaScript; others get the dialog. */
export default function NewReviewPage({ loaderData, actionData }: Route.ComponentProps) {
  const { products, token, rating, suggestedName } = loaderData;
  const [entries, setEntries] = useState(
    actionData?.entries ?? { ...noEntries, rating, customerName: suggestedName },
  );
  const { state } = useNavigation();
  const notice = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is announced, even with the same text
  useEffect(() => notice.current?.focus(), [actionData]);
  const [first] = products;
  return (
    <div className="wrap max-w-(--container-form) pb-(--section-y)">
      <div className="page-head">
        <h1>Write a Review</h1>
        {products.length === 1 && <p className="mt-3 text-ink-muted">{first?.name}</p>}
      </div>
      <Form method="post" noValidate className="grid gap-5">
        <ReviewNotice
          ref={notice}
          problems={actionData?.problems ?? {}}
          failure={actionData?.failure ?? null}
        />
        {products.length === 1 ? (
          <input type="hidden" name="productId" value={first?.id} />
        ) : (
          <Select name="productId" label="Product" defaultValue={first?.id}>
            {products.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
        {token !== null && <input type="hidden" name="review" value={token} />}
        <ReviewFields
          entries={entries}
          problems={actionData?.problems ?? {}}
          onChange={(change) => setEntries({ ...entries, ...change })}
        />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={state === "submitting"} busyText="Submitting...">
            Submit Review
          </Button>
          <ButtonLink to="/reviews" variant="secondary">
            Cancel
          </ButtonLink>
        </div>
      </Form>
    </div>
  );
}
