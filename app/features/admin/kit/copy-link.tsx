import Copy from "lucide-react/icons/copy";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { toast } from "../../../ui/toast.tsx";

/** Copies the payment link from `fetchLink` and shows a toast. Null: the call failed and has already shown a toast. */
export function CopyLinkButton({
  busy,
  fetchLink,
}: {
  busy: boolean;
  fetchLink: () => Promise<string | null>;
}) {
  return (
    <Button
      variant="secondary"
      size="small"
      busy={busy}
      busyText="Copying..."
      onClick={() => void copyPaymentLink(fetchLink())}
    >
      <Icon glyph={Copy} size="small" /> Copy link
    </Button>
  );
}

/** The clipboard is opened within the click, because some browsers refuse it afterwards. */
async function copyPaymentLink(answer: Promise<string | null>): Promise<void> {
  const isCopied = await write(answer).then(
    () => true,
    () => false,
  );
  const link = await answer;
  if (link === null) return;
  toast(
    isCopied
      ? { title: "Payment link copied" }
      : { title: "The link could not be copied", description: link, tone: "danger" },
  );
}

async function write(answer: Promise<string | null>): Promise<void> {
  if (typeof ClipboardItem === "undefined") return navigator.clipboard.writeText((await answer) ?? "");
  const text = answer.then((link) => {
    if (link === null) throw new Error("there is no link");
    return new Blob([link], { type: "text/plain" });
  });
  await navigator.clipboard.write([new ClipboardItem({ "text/plain": text })]);
}
