import { toast } from "../../../ui/toast.tsx";

/**
 * Puts a payment link that is still being asked for on the clipboard, and says so; null: there is none, as was said. The
 * clipboard is asked for with the click, since some browsers refuse it later.
 */
export async function copyPaymentLink(asked: Promise<string | null>): Promise<void> {
  const isCopied = await write(asked).then(
    () => true,
    () => false,
  );
  const link = await asked;
  if (link === null) return;
  toast(
    isCopied
      ? { title: "Payment link copied" }
      : { title: "The link could not be copied", description: link, tone: "danger" },
  );
}

async function write(asked: Promise<string | null>): Promise<void> {
  if (typeof ClipboardItem === "undefined") return navigator.clipboard.writeText((await asked) ?? "");
  const text = asked.then((link) => {
    if (link === null) throw new Error("there is no link");
    return new Blob([link], { type: "text/plain" });
  });
  await navigator.clipboard.write([new ClipboardItem({ "text/plain": text })]);
}
