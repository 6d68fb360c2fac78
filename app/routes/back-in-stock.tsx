import BellRing from "lucide-react/icons/bell-ring";
import MailCheck from "lucide-react/icons/mail-check";
import { data, redirect } from "react-router";
import { formEntries } from "../features/form-entries.ts";
import { privatePageMeta, tokenPageHeaders } from "../seo/page-meta.ts";
import { ExpiredLink } from "../shell/expired-link.tsx";
import { apiContext, shopContext } from "../shop-context.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Banner } from "../ui/error-banner.tsx";
import { EmailField } from "../ui/field.tsx";
import type { Route } from "./+types/back-in-stock";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Back in stock");

export const headers = tokenPageHeaders;

const nextSteps = ["confirm", "waiting"] as const;

/** Opening the page confirms nothing, because mail scanners open links too; pressing the button does. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const shop = context.get(shopContext);
  const query = new URL(request.url).searchParams;
  const token = query.get("confirm");
  const slug = query.get("product") ?? "";
  const product = (await shop.products()).find((candidate) => candidate.slug === slug) ?? null;
  return {
    isOpenedByLink: token !== null,
    alert: token === null ? null : await shop.alertToConfirm(token),
    nextStep: nextSteps.find((step) => step === query.get("asked")) ?? null,
    product: product && { id: product.id, name: product.name, slug: product.slug },
  };
}

/** The form of a sold-out product and the page of the e-mailed link; works without JavaScript. */
export async function action({ request, context }: Route.ActionArgs) {
  const api = context.get(apiContext);
  const token = new URL(request.url).searchParams.get("confirm");
  if (token !== null) {
    const response = await api.call("POST /api/stock-alerts/confirm", { body: { token } });
    if (response.ok) return data({ confirmedAlert: response.body.data, failure: null, email: "" });
    const { status, message } = response.problem;
    return data({ confirmedAlert: null, failure: message, email: "" }, { status });
  }
  const entry = await formEntries(request);
  const email = entry("email");
  const slug = entry("product");
  const product = (await context.get(shopContext).products()).find((candidate) => candidate.slug === slug);
  const response = await api.call("POST /api/stock-alerts", {
    body: { productId: product?.id ?? 0, email },
  });
  const query = new URLSearchParams({ product: slug });
  if (response.ok) return redirect(`/back-in-stock?${query}&asked=${response.body.data.next}`, 303);
  const { status, message, fields } = response.problem;
  // The product has come back into stock since the page was opened.
  if (product && response.problem.error === "invalid_state") return redirect(`/product/${product.slug}`, 303);
  return data({ confirmedAlert: null, failure: fields.email ?? message, email }, { status });
}

export default function BackInStockPage({ loaderData, actionData }: Route.ComponentProps) {
  const { isOpenedByLink, alert, nextStep, product } = loaderData;
  if (actionData?.confirmedAlert) return <AlertConfirmed {...actionData.confirmedAlert} />;
  if (isOpenedByLink)
    return alert ? <ConfirmAlert name={alert.product.name} failure={actionData?.failure} /> : expiredLink;
  if (!product) return expiredLink;
  if (nextStep !== null && !actionData) return <NextStep step={nextStep} product={product} />;
  return (
    <div className="mx-auto wrap max-w-(--container-form) pb-(--section-y)">
      <div className="page-head">
        <h1>Tell me when it’s back</h1>
        <p className="mt-3 text-ink-muted">{product.name} is sold out right now.</p>
      </div>
      <form method="post" action="/back-in-stock" className="grid gap-4">
        <input type="hidden" name="product" value={product.slug} />
        <EmailField
          name="email"
          required
          maxLength={254}
          defaultValue={actionData?.email}
          error={actionData?.failure ?? undefined}
          hint="One email when it’s back in stock. Nothing else."
        />
        <div>
          <Button type="submit">Tell Me When It’s Back</Button>
        </div>
      </form>
    </div>
  );
}

function NextStep({
  step,
  product,
}: {
  step: "confirm" | "waiting";
  product: { name: string; slug: string };
}) {
  const back = (
    <ButtonLink to={`/product/${product.slug}`} variant="secondary">
      Back to {product.name}
    </ButtonLink>
  );
  if (step === "waiting") {
    return (
      <EmptyState glyph={BellRing} title="You’re on the list" action={back}>
        We’ll email you once, as soon as {product.name} is back in stock.
      </EmptyState>
    );
  }
  return (
    <EmptyState glyph={MailCheck} title="Check your inbox" action={back}>
      <p>
        We’ve sent you a link to confirm your address. Press it, and we’ll email you once {product.name} is
        back.
      </p>
      <p className="mt-3 text-small">
        On the list already? Then there’s nothing more to do. Nothing there after a few minutes? Check your
        spam folder.
      </p>
    </EmptyState>
  );
}

function ConfirmAlert({ name, failure }: { name: string; failure: string | null | undefined }) {
  return (
    <EmptyState
      glyph={BellRing}
      title="Shall we tell you when it’s back?"
      action={
        // A plain form works the same without JavaScript.
        <form method="post">
          <Button type="submit">Yes, email me</Button>
        </form>
      }
    >
      <p>We’ll email you once, when {name} is back in stock. Then you’re off the list.</p>
      {failure && <Banner className="mt-4 text-left">{failure}</Banner>}
    </EmptyState>
  );
}

function AlertConfirmed({ product, inStock }: { product: { name: string; slug: string }; inStock: boolean }) {
  if (inStock) {
    return (
      <EmptyState
        glyph={BellRing}
        title="It’s back already"
        action={<ButtonLink to={`/product/${product.slug}`}>Shop now</ButtonLink>}
      >
        {product.name} is in stock again.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      glyph={BellRing}
      title="You’re on the list"
      action={<ButtonLink to="/">Continue Shopping</ButtonLink>}
    >
      We’ll email you once, as soon as {product.name} is back in stock.
    </EmptyState>
  );
}

const expiredLink = (
  <ExpiredLink>
    It may be older than a week. If the product is still sold out, you can ask again on its page.
  </ExpiredLink>
);
