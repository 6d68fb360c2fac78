import Copy from "lucide-react/icons/copy";
import Download from "lucide-react/icons/download";
import Printer from "lucide-react/icons/printer";
import type { BatchRecall } from "../../../../domain/stock.ts";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { toast } from "../../../ui/toast.tsx";

/** The recall list for elsewhere: addresses for a mail program, a file for a mailing, paper. */
export function RecallActions({ recall: { batch, orders } }: { recall: BatchRecall }) {
  const addresses = [...new Set(orders.flatMap(({ email }) => (email === null ? [] : [email])))];

  async function copy() {
    try {
      await navigator.clipboard.writeText(addresses.join(", "));
      toast({
        title: addresses.length === 1 ? "1 address copied" : `${addresses.length} addresses copied`,
        description: "Put them into the Bcc field, so that nobody sees the others.",
      });
    } catch {
      toast({
        title: "The browser did not allow copying",
        description: "The CSV file has the addresses, too.",
        tone: "danger",
      });
    }
  }

  return (
    <>
      <Button variant="secondary" size="small" disabled={addresses.length === 0} onClick={() => void copy()}>
        <Icon glyph={Copy} size="small" /> Copy email addresses
      </Button>
      <a
        className={buttonClass({ variant: "secondary", size: "small" })}
        href={`/api/admin/batches/${batch.id}/orders.csv`}
        download
      >
        <Icon glyph={Download} size="small" /> CSV
      </a>
      <Button variant="secondary" size="small" onClick={() => window.print()}>
        <Icon glyph={Printer} size="small" /> Print
      </Button>
    </>
  );
}
