import { productLimits } from "../../../../domain/catalog/product-admin.ts";
import { TextArea } from "../../../ui/text-area.tsx";
import { UsageSteps } from "../../catalog/usage-steps.tsx";
import { usageSteps } from "../../catalog/usage-text.ts";

/** How to use the product, and beside it what the page makes of it. */
export function UsageField({
  value: usage,
  error,
  onChange,
}: {
  value: string;
  error: string | undefined;
  onChange: (usage: string) => void;
}) {
  const steps = usageSteps(usage);
  return (
    <div className="grid gap-5 xl:grid-cols-2 xl:items-start">
      <TextArea
        name="usage"
        label="How to use"
        rows={14}
        maxLength={productLimits.usage}
        value={usage}
        error={error}
        hint="One step per paragraph, with an empty line between. Its first line is the title, its last line the dose; two lines are title and text, a single line is text alone."
        onChange={(event) => onChange(event.target.value)}
      />
      <div className="rounded-sm bg-cream-soft p-4">
        <p className="mb-3 text-caption font-semibold text-ink-muted">As shoppers read it</p>
        {steps.length > 0 ? (
          <UsageSteps steps={steps} />
        ) : (
          <p className="text-small text-ink-muted">
            Nothing yet: the product’s page leaves this part out. For example:
            <span className="mt-2 block whitespace-pre-line text-ink">
              {"Hair\nMassage into the scalp and leave for 30 minutes.\n5 drops, once a week"}
            </span>
          </p>
        )}
      </div>
    </div>
  );
}
