import type { ProductImage } from "../../../domain/catalog/product.ts";
import { Picture } from "../../ui/picture.tsx";
import type { UsageStep } from "./product-usage.ts";
import { UsageSteps } from "./usage-steps.tsx";

export function ProductUsage({ steps, picture }: { steps: UsageStep[]; picture: ProductImage }) {
  return (
    <section id="how" className="section pb-0">
      <div className="wrap grid gap-12 lg:grid-cols-[5fr_6fr] lg:items-start lg:gap-[clamp(3rem,7vw,7rem)]">
        <div>
          <h2>How to Use</h2>
          <div className="mt-10 aspect-5/4 overflow-hidden bg-cream max-lg:hidden">
            <Picture image={picture} sizes="33rem" className="size-full object-cover object-[60%_60%]" />
          </div>
        </div>
        <UsageSteps steps={steps} />
      </div>
    </section>
  );
}
