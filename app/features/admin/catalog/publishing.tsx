import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { type AdminProduct, missingForShow } from "../../../../domain/catalog/product-admin.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** Whether shoppers see the product, and the buttons that change it. */
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

  const publish = (isOnShow: boolean) =>
    action.run({
      params: { id },
      body: { published: isOnShow },
      success: { title: isOnShow ? `${name} is on show` : `${name} is off the shop` },
    });

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
          onClick={() => (published || missing.length > 0 ? setAsking(true) : void publish(true))}
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
        send={() => publish(!published)}
      />
    </section>
  );
}

/** Copies a product, archives it, or deletes it if nothing refers to it. */
export function ProductEnding({
  product: { id, name, archivedAt, published, family },
}: {
  product: AdminProduct;
}) {
  const [question, setQuestion] = useState<"archive" | "delete" | null>(null);
  const [next, setNext] = useState<string | null>(null);
  const navigate = useNavigate();
  const copy = useAdminAction("POST /api/admin/products/:id/duplicate", { failure: "It was not duplicated" });
  const archive = useAdminAction("PUT /api/admin/products/:id/archived", { failure: null });
  const remove = useAdminAction("DELETE /api/admin/products/:id", {
    success: { title: `${name} is deleted` },
    failure: null,
    reloads: false,
  });
  const isArchived = archivedAt !== null;
  const busy = copy.busy || archive.busy || remove.busy;

  useEffect(() => {
    if (next !== null) void navigate(next);
  }, [next, navigate]);

  async function duplicate() {
    const answer = await copy.run({
      params: { id },
      success: ({ data }) => ({ title: `${data.name} added`, description: "It is not on show yet." }),
    });
    if (answer.ok) setNext(`/admin/products/${answer.body.data.id}`);
  }
  const setArchived = (archived: boolean) =>
    archive.run({
      params: { id },
      body: { archived },
      success: { title: archived ? `${name} is archived` : `${name} is back, not on show yet` },
    });
  async function deleteProduct() {
    if ((await remove.run({ params: { id } })).ok) setNext("/admin/products");
    return undefined;
  }

  return (
    <section aria-labelledby="ending" className="grid gap-3">
      <h2 id="ending" className="text-h3">
        Duplicate, archive, delete
      </h2>
      {archive.problem && question === null && (
        <Banner title="That did not work.">{archive.problem.message}</Banner>
      )}
      <div className="flex flex-wrap gap-3">
        <Button
          variant="secondary"
          size="small"
          busy={copy.busy}
          busyText="Duplicating"
          disabled={busy}
          onClick={() => void duplicate()}
        >
          Duplicate
        </Button>
        <Button
          variant="secondary"
          size="small"
          busy={archive.busy && question === null}
          busyText="Restoring"
          disabled={busy}
          onClick={() => (isArchived ? void setArchived(false) : setQuestion("archive"))}
        >
          {isArchived ? "Restore" : "Archive"}
        </Button>
        {!published && (
          <Button variant="danger-quiet" size="small" disabled={busy} onClick={() => setQuestion("delete")}>
            Delete
          </Button>
        )}
      </div>
      <p className="text-small text-ink-muted">
        A duplicate has the words, pictures and price, and no stock, SKU or bar code. Only what was never
        ordered, reviewed or asked about can be deleted.
      </p>
      <ConfirmDialog
        open={question !== null}
        onClose={() => {
          archive.clearProblem();
          remove.clearProblem();
          setQuestion(null);
        }}
        title={question === "delete" ? `Delete ${name}?` : `Archive ${name}?`}
        description={
          question === "delete"
            ? "Its words, pictures and stock are gone for good."
            : `It leaves the shop and the list of products. ${family && family.sizes.length > 1 ? "The other sizes stay, and the first of them on show leads. " : ""}Orders and reviews keep it, and you can restore it at any time.`
        }
        confirmLabel={question === "delete" ? "Delete product" : "Archive product"}
        busyText={question === "delete" ? "Deleting..." : "Archiving..."}
        form={{ busy, problem: question === "delete" ? remove.problem : archive.problem }}
        danger={question === "delete"}
        send={() => (question === "delete" ? deleteProduct() : setArchived(true))}
      />
    </section>
  );
}
