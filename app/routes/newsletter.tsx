import MailCheck from "lucide-react/icons/mail-check";
import MailPlus from "lucide-react/icons/mail-plus";
import { data, redirect } from "react-router";
import { consentText, welcomeText } from "../../domain/newsletter/consent-text.ts";
import type { WelcomeOffer } from "../../domain/newsletter/newsletter.ts";
import { formEntries } from "../features/form-entries.ts";
import { privatePageMeta, tokenPageHeaders } from "../seo/page-meta.ts";
import { ExpiredLink } from "../shell/expired-link.tsx";
import { apiContext, shopContext } from "../shop-context.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Banner } from "../ui/error-banner.tsx";
import { EmailField } from "../ui/field.tsx";
import type { Route } from "./+types/newsletter";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Newsletter");

export const headers = tokenPageHeaders;

/** Opening the page signs nobody up, because mail scanners open links too; pressing the button does. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const shop = context.get(shopContext);
  const [{ brandName, newsletter }, welcome] = await Promise.all([shop.settings(), shop.welcome()]);
  const isOpenedByLink = query.has("confirm");
  if (!newsletter && !isOpenedByLink) throw data(null, { status: 404 });
  return { brandName, welcome, isOpenedByLink, isRequested: query.has("asked") };
}

/** The form of the footer and the page of the e-mailed link; works without JavaScript. */
export async function action({ request, context }: Route.ActionArgs) {
  const api = context.get(apiContext);
  const token = new URL(request.url).searchParams.get("confirm");
  if (token !== null) {
    const response = await api.call("POST /api/newsletter/confirm", { body: { token } });
    if (response.ok)
      return data({ confirmation: response.body.data, failure: null, isExpired: false, email: "" });
    const { status, message } = response.problem;
    return data({ confirmation: null, failure: message, isExpired: status === 404, email: "" }, { status });
  }
  const email = (await formEntries(request))("email");
  const response = await api.call("POST /api/newsletter", { body: { email, place: "footer" } });
  if (response.ok) return redirect("/newsletter?asked", 303);
  const { status, message, fields } = response.problem;
  return data({ confirmation: null, failure: fields.email ?? message, isExpired: false, email }, { status });
}

export default function NewsletterPage({ loaderData, actionData }: Route.ComponentProps) {
  const { brandName, welcome, isOpenedByLink, isRequested } = loaderData;
  if (actionData?.confirmation)
    return <SignUpConfirmed brandName={brandName} offer={actionData.confirmation.offer} />;
  if (isOpenedByLink)
    return actionData?.isExpired ? (
      <ExpiredLink>You can sign up again at the foot of any other page.</ExpiredLink>
    ) : (
      <ConfirmSignUp brandName={brandName} failure={actionData?.failure} />
    );
  if (isRequested && !actionData) {
    return (
      <EmptyState
        glyph={MailCheck}
        title="Check your inbox"
        action={<ButtonLink to="/">Continue Shopping</ButtonLink>}
      >
        <p>We’ve sent you a link to confirm your address. Confirm, and you’re on the list.</p>
        <p className="mt-3 text-small">
          On the list already? Then there’s nothing more to do. Nothing there after a few minutes? Check your
          spam folder.
        </p>
      </EmptyState>
    );
  }
  return (
    <div className="mx-auto wrap max-w-(--container-form) pb-(--section-y)">
      <div className="page-head">
        <h1>Newsletter</h1>
        {welcome && <p className="mt-3">{welcomeText(welcome)}</p>}
        <p className="mt-3 text-ink-muted">{consentText(brandName)}</p>
      </div>
      <form method="post" className="grid gap-4">
        <EmailField
          name="email"
          required
          maxLength={254}
          defaultValue={actionData?.email}
          error={actionData?.failure ?? undefined}
        />
        <div>
          <Button type="submit">Sign Up</Button>
        </div>
      </form>
    </div>
  );
}

function ConfirmSignUp({ brandName, failure }: { brandName: string; failure: string | null | undefined }) {
  return (
    <EmptyState
      glyph={MailPlus}
      title="One last step"
      action={
        // A plain form works the same without JavaScript.
        <form method="post">
          <Button type="submit">Yes, sign me up</Button>
        </form>
      }
    >
      <p>Confirm your address, and you’re on the list.</p>
      <p className="mt-3 text-small">{consentText(brandName)}</p>
      {failure && <Banner className="mt-4 text-left">{failure}</Banner>}
    </EmptyState>
  );
}

function SignUpConfirmed({ brandName, offer }: { brandName: string; offer: WelcomeOffer | null }) {
  return (
    <EmptyState
      glyph={MailCheck}
      title="You’re on the list"
      action={<ButtonLink to="/">Continue Shopping</ButtonLink>}
    >
      <p>Thank you for signing up for news from {brandName}.</p>
      {offer && (
        <p className="mt-4">
          Your welcome code is <b className="font-semibold text-ink">{offer.code}</b>. {offer.sentence} We’ve
          sent it by email, too.
        </p>
      )}
    </EmptyState>
  );
}
