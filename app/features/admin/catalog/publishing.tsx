import { useState } from "react";
import { type AdminProduct, missingForShow } from "../../../../domain/catalog/product-admin.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** Whether shoppers see the product, and the way to change that. */
export function Publishing({ product }: { product: AdminProduct }) {
  const { id, name, price, published, archivedAt } = product;
  const [isAsking, setAsking] = useState(false);
  const action = useAdminAction("PATCH /api/admin/products/:id", { failure: null });
  const missing = missingForShow(product);

  if (archivedAt !== null)
    return (
      <section aria-labelledby="publishing" className="grid gap-2">
        <div className="flex flex-wrap items-center gap-3">
          <h2 id="publishing" className="text-h3">
            Archived
          </h2>
          <Badge tone="cream">Put away</Badge>
        </div>
        <p className="text-small text-ink-muted">
          Only you see it, at the end of Manage Products. Orders and reviews keep it. Restore it to publish it
          again.
        </p>
      </section>
    );

  async function put(isOnShow: boolean) {
    const answer = await action.run({
      params: { id },
      body: { published: isOnShow },
      success: { title: isOnShow ? `${name} is on show` : `${name} is off the shop` },
    });
    if (answer.ok) setAsking(false);
  }

  return (
    <section aria-labelledby="publishing" className="grid gap-2">
      <div className="flex flex-wrap items-center gap-3">
        <h2 id="publishing" className="text-h3">
          {published ? "On show" : "Not on show"}
        </h2>
        <Badge tone={published ? "green" : "yellow"}>{published ? "Published" : "Hidden"}</Badge>
      </div>
      <p className="text-small text-ink-muted">
        {published
          ? "Shoppers see it and can buy it while there is stock."
          : "Only you see it. Links to it say that it is no longer sold."}
      </p>
      {missing.length > 0 && (
        <p className="text-small">
          Still missing: <span className="font-medium">{missing.join(", ")}</span>.
        </p>
      )}
      {!published && price === 0 && <p className="text-small">Give it a price first, then publish it.</p>}
      <div className="mt-1">
        <Button
          variant={published ? "secondary" : "primary"}
          size="small"
          disabled={!published && price === 0}
          busy={action.busy && !isAsking}
          busyText="Publishing..."
          onClick={() => (published || missing.length > 0 ? setAsking(true) : void put(true))}
        >
          {published ? "Take off the shop" : "Publish"}
        </Button>
      </div>
      {action.problem && !isAsking && (
        <p role="alert" className="text-small font-medium text-danger">
          {action.problem.fields.published ?? action.problem.message}
        </p>
      )}
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={published ? `Take ${name} off the shop?` : "Publish it as it is?"}
        description={
          published
            ? "Its page says that it is no longer sold, and nobody can buy it, from a full cart either. Paid orders and reviews stay. You can publish it again at any time."
            : `Its page has no ${missing.map((what) => what.replace(/^a /, "")).join(", no ")} yet. You can publish now and add what is missing later.`
        }
        confirmLabel={published ? "Take off the shop" : "Publish all the same"}
        busyText={published ? "Taking off..." : "Publishing..."}
        form={action}
        danger={published}
        send={() => void put(!published)}
      />
    </section>
  );
}
