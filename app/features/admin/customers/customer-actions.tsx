import Download from "lucide-react/icons/download";
import Merge from "lucide-react/icons/merge";
import Trash2 from "lucide-react/icons/trash-2";
import { useState } from "react";
import type { Customer } from "../../../../domain/customers/customer.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { saveFile } from "../kit/download.ts";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { May } from "../may.tsx";
import { EraseDialog } from "./erase-dialog.tsx";
import { MergeDialog } from "./merge-dialog.tsx";

/** Actions on a whole customer record. Only the owner may download or erase the data. */
export function CustomerActions({ customer }: { customer: Customer }) {
  const [open, setOpen] = useState<"merge" | "erase" | null>(null);
  const copy = useAdminAction("GET /api/admin/customers/:id/data", {
    failure: "The data was not downloaded",
    reloads: false,
  });

  async function download() {
    const answer = await copy.run({ params: { id: String(customer.id) } });
    if (!answer.ok) return;
    const content = new Blob([JSON.stringify(answer.body.data, null, 2)], { type: "application/json" });
    saveFile(content, `customer-${customer.id}.json`);
  }
  return (
    <>
      <Button variant="secondary" size="small" onClick={() => setOpen("merge")}>
        <Icon glyph={Merge} size="small" /> Merge
      </Button>
      <May call="POST /api/admin/customers/:id/erase">
        <Button
          variant="secondary"
          size="small"
          busy={copy.busy}
          busyText="Preparing..."
          onClick={() => void download()}
        >
          <Icon glyph={Download} size="small" /> Data
        </Button>
        <Button variant="danger-quiet" size="small" onClick={() => setOpen("erase")}>
          <Icon glyph={Trash2} size="small" /> Delete
        </Button>
      </May>
      {open === "merge" && <MergeDialog customer={customer} onClose={() => setOpen(null)} />}
      {open === "erase" && <EraseDialog customer={customer} onClose={() => setOpen(null)} />}
    </>
  );
}
