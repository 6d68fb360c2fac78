import { Button } from "../../ui/button.tsx";
import { EmailField } from "../../ui/email-field.tsx";

/** A plain form: it works from the first paint, with and without JavaScript. */
export function AlertForm({
  product,
  email,
  error,
}: {
  product: { slug: string };
  email?: string | undefined;
  error?: string | undefined;
}) {
  return (
    <form
      method="post"
      action="/back-in-stock"
      className="grid gap-2.5 rounded-sm border border-line bg-cream-soft p-4"
    >
      <input type="hidden" name="product" value={product.slug} />
      <EmailField name="email" id="alert-email" required maxLength={254} defaultValue={email} error={error} />
      <Button type="submit" block>
        Tell Me When It’s Back
      </Button>
      <p className="text-caption text-ink-muted">One email when it’s back in stock. Nothing else.</p>
    </form>
  );
}
