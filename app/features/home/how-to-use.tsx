import { LinkArrow } from "../../ui/link-arrow.tsx";
import { Picture } from "../../ui/picture.tsx";
import { shopPicture } from "../../ui/shop-picture.ts";
import { UsageSteps } from "../catalog/usage-steps.tsx";
import type { UsageStep } from "../catalog/usage-text.ts";

const picture = shopPicture("dropper-oil-drop.jpg", "");

export function HowToUse({ steps }: { steps: UsageStep[] }) {
  return (
    <section id="howtouse" className="section">
      <div className="wrap grid gap-10 lg:grid-cols-[6fr_5fr] lg:gap-[clamp(3rem,7vw,7rem)]">
        <div>
          <h2 className="mb-8">How to use it</h2>
          <UsageSteps steps={steps} />
          <div className="mt-8">
            <LinkArrow to="/how-to-use">Routines and mixing ideas</LinkArrow>
          </div>
        </div>
        <div className="sticky top-24 h-[calc(100svh-8rem)] max-h-184 min-h-160 self-start overflow-hidden bg-cream max-lg:hidden">
          <Picture image={picture} sizes="34rem" className="size-full object-cover object-[30%_50%]" />
        </div>
      </div>
    </section>
  );
}
