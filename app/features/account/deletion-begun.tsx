import type { KeptOrder } from "../../../domain/privacy/erasure.ts";
import { erasureFacts } from "../../../domain/privacy/erasure-facts.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Banner } from "../../ui/error-banner.tsx";
import { FactList } from "./fact-list.tsx";

/** What a deletion that was just confirmed does now and what of it has to wait. */
export function DeletionBegun({ kept }: { kept: KeptOrder[] }) {
  return (
    <div className="wrap max-w-[calc(var(--container-text)+2*var(--gutter))]">
      <div className="page-head">
        <h1>Your data is being deleted</h1>
      </div>
      <div className="grid gap-8 pb-(--section-y)">
        <Banner tone="success" title="Confirmed.">
          This takes a moment. We’ll email you when it’s done.
        </Banner>
        {kept.length > 0 && (
          <>
            <FactList
              title="What has to wait"
              facts={kept.map(({ number, because }) => `Order #${number}, because ${because}.`)}
            />
            <p>Once that’s done, we delete the rest automatically.</p>
          </>
        )}
        <FactList title="What stays, and why" facts={erasureFacts.stays} />
        <div>
          <ButtonLink to="/">Continue Shopping</ButtonLink>
        </div>
      </div>
    </div>
  );
}
