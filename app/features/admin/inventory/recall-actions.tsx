import Copy from "lucide-react/icons/copy";
import Download from "lucide-react/icons/download";
import Printer from "lucide-react/icons/printer";
import { useState } from "react";
import type { BatchRecall } from "../../../../domain/inventory/stock.ts";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { toast } from "../../../ui/toast.tsx";
import { type ApiAnswer, callApi } from "../../api.ts";

/** The recall list for elsewhere: addresses for a mail program, a file for a mailing, paper. */
export function RecallActions({ batch }: { batch: BatchRecall["batch"] }) {
  const [isReading, setIsReading] = useState(false);

  async function copy() {
    setIsReading(true);
    try {
      // Safari copies what is still to come only if it is promised within the click.
      const addresses = readAddresses(batch.id);
      const text = addresses.then((all) => new Blob([all.join(", ")], { type: "text/plain" }));
      await navigator.clipboard.write([new ClipboardItem({ "text/plain": text })]);
      const { length } = await addresses;
      toast({
        title: length === 1 ? "1 address copied" : `${length} addresses copied`,
        description: "Put them into the Bcc field, so that nobody sees the others.",
      });
    } catch {
      toast({
        title: "The addresses could not be copied",
        description: "The CSV file has them, too.",
        tone: "danger",
      });
    }
    setIsReading(false);
  }

  return (
    <>
      <Button
        variant="secondary"
        size="small"
        busy={isReading}
        busyText="Copying..."
        onClick={() => void copy()}
      >
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

/** The address of every buyer that is known, each once. Throws where they cannot be read. */
async function readAddresses(batchId: number): Promise<string[]> {
  const addresses = new Set<string>();
  let cursor: string | null = null;
  do {
    const answer: ApiAnswer<{ data: BatchRecall }> = await callApi("GET /api/admin/batches/:id/orders", {
      params: { id: batchId },
      query: { limit: 1000, cursor },
    });
    if (!answer.ok) throw new Error(answer.problem.message);
    for (const { email } of answer.body.data.orders) if (email !== null) addresses.add(email);
    cursor = answer.body.data.nextCursor;
  } while (cursor !== null);
  return [...addresses];
}
