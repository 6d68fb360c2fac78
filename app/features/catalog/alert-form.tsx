import { Button } from "../../ui/button.tsx";

/**
 * A plain form, which works from the first paint and without JavaScript. Errors are shown on the page that it posts to.
 */
export function AlertForm({ slug }: { slug: string }) {
  return (
    <form
      method="post"
      action="/back-in-stock"
      className="grid gap-2.5 rounded-sm border border-line bg-cream-soft p-4"
    >
      <input type="hidden" name="product" value={slug} />
      <label htmlFor="alert-email" className="text-small font-medium">
        Email Address
      </label>
      <input
        id="alert-email"
        type="email"
        name="email"
        required
        maxLength={254}
        autoComplete="email"
        className="min-h-12.5 w-full rounded-sm border border-line-strong bg-surface px-[.9rem]"
      />
      <Button type="submit" block>
        Tell Me When It’s Back
      </Button>
      <p className="text-caption text-ink-muted">One email when it’s back in stock. Nothing else.</p>
    </form>
  );
}
