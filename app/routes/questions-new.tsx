import { useEffect, useRef } from "react";
import { data, Form, redirect, useNavigation } from "react-router";
import { questionCharacters } from "../../domain/questions/question.ts";
import { formEntries } from "../features/form-entries.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { apiContext, shopContext } from "../shop-context.ts";
import { Button } from "../ui/button.tsx";
import { Banner } from "../ui/error-banner.tsx";
import { EmailField, Field, Honeypot, TextArea } from "../ui/field.tsx";
import { LinkArrow } from "../ui/link-arrow.tsx";
import type { Route } from "./+types/questions-new";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Ask a Question");

export async function loader({ request, context }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const products = await context.get(shopContext).productNames();
  const product = products.find(({ slug }) => slug === query.get("product")) ?? products[0];
  if (!product) throw data(null, { status: 404 });
  return { product, isSent: query.has("sent") };
}

export async function action({ request, context }: Route.ActionArgs) {
  const entry = await formEntries(request);
  const entries = { question: entry("question"), name: entry("name"), email: entry("email") };
  const response = await context.get(apiContext).call("POST /api/questions", {
    body: { ...entries, productId: Number(entry("productId")), website: entry("website") },
  });
  if (response.ok) {
    const product = new URL(request.url).searchParams.get("product");
    return redirect(`/questions/new?${new URLSearchParams({ ...(product && { product }), sent: "1" })}`, 303);
  }
  const { fields, message, status } = response.problem;
  const outcome = { entries, problems: fields as Partial<Record<string, string>>, message };
  return data(outcome, { status });
}

/** Asks the owner about a product. */
export default function NewQuestionPage({ loaderData, actionData }: Route.ComponentProps) {
  const { product, isSent } = loaderData;
  const { state } = useNavigation();
  const notice = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each result is announced, even with the same text
  useEffect(() => notice.current?.focus(), [actionData, isSent]);
  const problems = actionData?.problems ?? {};
  return (
    <div className="wrap max-w-(--container-form) pb-(--section-y)">
      <div className="page-head">
        <LinkArrow to={`/product/${product.slug}`} back>
          Back to {product.name}
        </LinkArrow>
        <h1 className="mt-3">Ask a Question</h1>
        <p className="mt-3 text-ink-muted">We answer by email, and on the product’s page.</p>
      </div>
      {isSent ? (
        <Banner ref={notice} tabIndex={-1} tone="success" role="status" title="Thank you for your question.">
          We read every one. You’ll find our answer on the product’s page once it’s written, and in your inbox
          if you left your address.
        </Banner>
      ) : (
        <Form method="post" noValidate className="grid gap-5">
          {actionData && (
            <Banner ref={notice} tabIndex={-1} title="Your question was not sent.">
              {Object.keys(problems).length > 0 ? "Please check what is marked below." : actionData.message}
            </Banner>
          )}
          <p className="text-small text-ink-muted">Fields marked with * are required.</p>
          <input type="hidden" name="productId" value={product.id} />
          <TextArea
            name="question"
            label="Your question"
            required
            hint={`${questionCharacters.min} to ${questionCharacters.max} characters.`}
            maxLength={questionCharacters.max}
            defaultValue={actionData?.entries.question}
            error={problems.question}
          />
          <div className="grid gap-5 sm:grid-cols-2">
            <Field
              name="name"
              label="Your name"
              optional
              autoComplete="name"
              hint="Shown with your question."
              maxLength={80}
              defaultValue={actionData?.entries.name}
              error={problems.name}
            />
            <EmailField
              name="email"
              optional
              hint="Only to send you the answer."
              defaultValue={actionData?.entries.email}
              error={problems.email}
            />
          </div>
          <Honeypot id="question-website" />
          <div>
            <Button
              type="submit"
              busy={state === "submitting"}
              busyText="Sending..."
              className="max-sm:w-full"
            >
              Send Question
            </Button>
          </div>
        </Form>
      )}
    </div>
  );
}
