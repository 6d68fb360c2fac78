import { useState } from "react";
import { type AdminProduct, missingPageParts } from "../../../../domain/catalog/product-admin.ts";
import { Banner } from "../../../ui/error-banner.tsx";
import { PanelButton } from "../kit/action-button.tsx";
import { ConfirmCall, ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { Menu } from "../kit/menu.tsx";
import { useLeaving } from "../kit/saved-form/save-bar.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";

/** Why shoppers do not see the product, with the button that publishes it; renders nothing for a published product. */
export function HiddenNotice({ product }: { product: AdminProduct }) {
  const { id, name, price, published, archivedAt } = product;
  const [isConfirming, setConfirming] = useState(false);
  const action = useAdminAction("PATCH /api/admin/products/:id", { failure: null });
  const missingParts = missingPageParts(product);
  if (published) return null;
  if (archivedAt !== null)
    return (
      <Banner tone="info" title="Archived.">
        Only you see it, at the end of Manage Products. Orders and reviews keep it. Restore it to publish it
        again.
      </Banner>
    );
  const publish = () =>
    action.run({
      params: { id },
      body: { published: true },
      success: { title: `${name} is published` },
    });
  return (
    <Banner tone="warning" title="Hidden.">
      Only you see it. Links to it say that it is no longer sold.
      {missingParts.length > 0 && (
        <span className="block">
          Still missing: <span className="font-medium">{missingParts.join(", ")}</span>.
        </span>
      )}
      {price === 0 && <span className="block">Give it a price first, then publish it.</span>}
      <span className="mt-2.5 block">
        <PanelButton
          variant="primary"
          disabled={price === 0}
          busy={action.busy && !isConfirming}
          busyText="Publishing..."
          onClick={() => (missingParts.length > 0 ? setConfirming(true) : void publish())}
        >
          Publish
        </PanelButton>
      </span>
      {action.problem && !isConfirming && (
        <span role="alert" className="mt-2 block font-medium text-danger">
          {action.problem.fields.published ?? action.problem.message}
        </span>
      )}
      <ConfirmDialog
        open={isConfirming}
        onClose={() => setConfirming(false)}
        title="Publish it as it is?"
        description={`Its page has no ${missingParts.map((part) => part.replace(/^a /, "")).join(", no ")} yet. You can publish now and add what is missing later.`}
        confirmLabel="Publish anyway"
        busyText="Publishing..."
        form={action}
        danger={false}
        send={publish}
      />
    </Banner>
  );
}

/** Menu of a product's less frequent actions: preview, duplicate, unpublish, archive, restore, delete. */
export function ProductMenu({
  product: { id, name, slug, archivedAt, published, family },
}: {
  product: AdminProduct;
}) {
  const [openDialog, setOpenDialog] = useState<"hide" | "archive" | "delete" | null>(null);
  const { leave } = useLeaving();
  const duplication = useAdminAction("POST /api/admin/products/:id/duplicate", {
    failure: "It was not duplicated",
  });
  const restoration = useAdminAction("PUT /api/admin/products/:id/archived", {
    success: { title: `${name} is restored, still hidden` },
    failure: "It was not restored",
  });
  const busy = duplication.busy || restoration.busy;
  const params = { id };
  const close = () => setOpenDialog(null);

  async function duplicate() {
    const response = await duplication.run({
      params: { id },
      success: ({ data }) => ({
        title: `${data.name} added`,
        description: "It is hidden, without stock, SKU and bar code.",
      }),
    });
    if (response.ok) leave(`/admin/products/${response.body.data.id}`);
  }

  const hasOtherSizes = family !== null && family.sizes.length > 1;
  return (
    <>
      <Menu
        label={`More for ${name}`}
        entries={[
          { label: "Preview", href: `/admin/products/${id}/preview` },
          ...(published ? [{ label: "View in shop", href: `/product/${slug}` }] : []),
          { label: "Duplicate", busy, onSelect: () => void duplicate() },
          ...(published ? [{ label: "Hide", busy, onSelect: () => setOpenDialog("hide") }] : []),
          archivedAt === null
            ? { label: "Archive", busy, onSelect: () => setOpenDialog("archive") }
            : {
                label: "Restore",
                busy,
                onSelect: () => void restoration.run({ params, body: { archived: false } }),
              },
          ...(published
            ? []
            : [{ label: "Delete", busy, isDanger: true, onSelect: () => setOpenDialog("delete") }]),
        ]}
      />
      {openDialog === "hide" && (
        <ConfirmCall
          onClose={close}
          title={`Hide ${name}?`}
          danger={false}
          description="Its page will say it’s no longer sold, and carts can’t check out with it. Paid orders and reviews stay. You can publish it again at any time."
          confirmLabel="Hide product"
          busyText="Hiding..."
          call="PATCH /api/admin/products/:id"
          success={{ title: `${name} is hidden` }}
          send={(run) => run({ params, body: { published: false } })}
        />
      )}
      {openDialog === "archive" && (
        <ConfirmCall
          onClose={close}
          title={`Archive ${name}?`}
          description={`It disappears from the shop and from the list of products. ${hasOtherSizes ? "The other sizes stay, and the first published one is shown first. " : ""}Orders and reviews keep it, and you can restore it at any time.`}
          confirmLabel="Archive product"
          busyText="Archiving..."
          call="PUT /api/admin/products/:id/archived"
          success={{ title: `${name} is archived` }}
          send={(run) => run({ params, body: { archived: true } })}
        />
      )}
      {openDialog === "delete" && (
        <ConfirmCall
          onClose={close}
          title={`Delete ${name}?`}
          description="Its texts, pictures and stock are deleted for good. Only products that were never ordered, reviewed or asked about can be deleted."
          confirmLabel="Delete product"
          busyText="Deleting..."
          call="DELETE /api/admin/products/:id"
          success={{ title: `${name} is deleted` }}
          send={(run) => run({ params, reloads: false })}
          onDone={() => leave("/admin/products")}
        />
      )}
    </>
  );
}
