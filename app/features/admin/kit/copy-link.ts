import { toast } from "../../../ui/toast.tsx";

/**
 * Copies a payment link that the shop is about to answer, and shows a toast. Null: the call failed, which its own toast has said.
 * The clipboard is opened within the click, because some browsers refuse it afterwards.
 */
export async function copyPaymentLink(answer: Promise<string | null>): Promise<void> {
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
