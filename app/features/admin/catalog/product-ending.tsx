import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import type { AdminProduct } from "../../../../domain/catalog/product-admin.ts";
import { Button } from "../../../ui/button.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** A copy of a product, and its end: put away, or deleted where nothing names it. */
export function ProductEnding({
  product: { id, name, archivedAt, published, family },
}: {
  product: AdminProduct;
}) {
  const [asked, setAsked] = useState<"archive" | "delete" | null>(null);
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
  async function putAway(archived: boolean) {
    const answer = await archive.run({
      params: { id },
      body: { archived },
      success: { title: archived ? `${name} is archived` : `${name} is back, not on show yet` },
    });
    if (answer.ok) setAsked(null);
  }
  async function deleteIt() {
    if ((await remove.run({ params: { id } })).ok) setNext("/admin/products");
  }

  return (
    <section aria-labelledby="ending" className="grid gap-3">
      <h2 id="ending" className="text-h3">
        Duplicate, archive, delete
      </h2>
      {archive.problem && asked === null && (
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
          busy={archive.busy && asked === null}
          busyText="Restoring"
          disabled={busy}
          onClick={() => (isArchived ? void putAway(false) : setAsked("archive"))}
        >
          {isArchived ? "Restore" : "Archive"}
        </Button>
        {!published && (
          <Button variant="danger-quiet" size="small" disabled={busy} onClick={() => setAsked("delete")}>
            Delete
          </Button>
        )}
      </div>
      <p className="text-small text-ink-muted">
        A duplicate has the words, pictures and price, and no stock, SKU or bar code. Only what was never
        ordered, reviewed or asked about can be deleted.
      </p>
      <ConfirmDialog
        open={asked !== null}
        onClose={() => {
          archive.forget();
          remove.forget();
          setAsked(null);
        }}
        title={asked === "delete" ? `Delete ${name}?` : `Archive ${name}?`}
        description={
          asked === "delete"
            ? "Its words, pictures and stock are gone for good."
            : `It leaves the shop and the list of products. ${family && family.sizes.length > 1 ? "The other sizes stay, and the first of them on show leads. " : ""}Orders and reviews keep it, and you can restore it at any time.`
        }
        confirmLabel={asked === "delete" ? "Delete product" : "Archive product"}
        busyText={asked === "delete" ? "Deleting..." : "Archiving..."}
        form={{ busy: busy, problem: asked === "delete" ? remove.problem : archive.problem }}
        danger={asked === "delete"}
        send={() => void (asked === "delete" ? deleteIt() : putAway(true))}
      />
    </section>
  );
}
