import { useEffect, useRef, useState } from "react";
import { data, Form, redirect, useNavigation } from "react-router";
import { hairKeys, skinKeys } from "../../domain/reviews/writer-traits.ts";
import { formEntries } from "../features/form-entries.ts";
import {
  noEntries,
  type ReviewEntries,
  type ReviewProblems,
} from "../features/reviews/write/review-entries.ts";
import { ReviewFields, ReviewNotice } from "../features/reviews/write/review-fields.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { apiContext, type PageApi, shopContext } from "../shop-context.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { Options, Select } from "../ui/field.tsx";
import type { Route } from "./+types/reviews-new";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Write a Review");

// The URL may contain the token of an e-mailed link.
export const headers: Route.HeadersFunction = () => ({
  "Cache-Control": "private, no-store",
  "Referrer-Policy": "no-referrer",
});

export async function loader({ request, context }: Route.LoaderArgs) {
  const shop = context.get(shopContext);
  const query = new URL(request.url).searchParams;
  const token = query.get("review");
  const [allProducts, invitation] = await Promise.all([
    shop.productNames(),
    token === null ? null : shop.reviewInvitation(token),
  ]);
  const chosenProducts = allProducts.filter(({ slug }) => slug === query.get("product"));
  const products = chosenProducts.length > 0 ? chosenProducts : allProducts;
  if (products.length === 0) throw data(null, { status: 404 });
  // The stars tapped in an e-mail are preselected; only the button sends the review.
  const rating = /^[1-5]$/.test(query.get("rating") ?? "") ? Number(query.get("rating")) : null;
  return { products, token, rating, suggestedName: invitation?.suggestedName ?? "" };
}

export function action({ request, context }: Route.ActionArgs) {
  return sendReviewForm(request, context.get(apiContext));
}

/** The review form for links in e-mails and for browsers without JavaScript; otherwise a dialog opens on the current page. */
export default function NewReviewPage({ loaderData, actionData }: Route.ComponentProps) {
  const { products, token, rating, suggestedName } = loaderData;
  const [entries, setEntries] = useState(
    actionData?.entries ?? { ...noEntries, rating, customerName: suggestedName },
  );
  const { state } = useNavigation();
  const notice = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each response is announced, even with the same text
  useEffect(() => notice.current?.focus(), [actionData]);
  const [firstProduct] = products;
  return (
    <div className="wrap max-w-(--container-form) pb-(--section-y)">
      <div className="page-head">
        <h1>Write a Review</h1>
        {products.length === 1 && <p className="mt-3 text-ink-muted">{firstProduct?.name}</p>}
      </div>
      <Form method="post" noValidate className="grid gap-5">
        <ReviewNotice
          ref={notice}
          problems={actionData?.problems ?? {}}
          failure={actionData?.failure ?? null}
        />
        {products.length === 1 ? (
          <input type="hidden" name="productId" value={firstProduct?.id} />
        ) : (
          <Select name="productId" label="Product" defaultValue={firstProduct?.id}>
            <Options of={products.map(({ id, name }) => [id, name])} />
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

/** The response to a form that was sent without JavaScript and has errors. */
type ReviewOutcome = { entries: ReviewEntries; problems: ReviewProblems; failure: string };

/** Handles a form sent without JavaScript: sends the review and redirects, or responds with the form's errors. */
async function sendReviewForm(request: Request, api: PageApi) {
  const entry = await formEntries(request);
  const entries: ReviewEntries = {
    rating: /^[1-5]$/.test(entry("rating")) ? Number(entry("rating")) : null,
    comment: entry("comment"),
    customerName: entry("customerName"),
    hair: hairKeys.find((key) => key === entry("hair")) ?? null,
    skin: skinKeys.find((key) => key === entry("skin")) ?? null,
  };
  const response = await api.call("POST /api/reviews", {
    body: {
      ...entries,
      productId: Number(entry("productId")),
      website: entry("website"),
      token: entry("review") || null,
    },
  });
  if (response.ok) return redirect(`/reviews?sent=${response.body.data.productId}`, 303);
  const { status, fields, message } = response.problem;
  const outcome: ReviewOutcome = { entries, problems: fields, failure: message };
  return data(outcome, { status });
}
