import Copy from "lucide-react/icons/copy";
import { Fragment } from "react";
import { IconButton } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { toast } from "../../../ui/toast.tsx";
import type { ApiResult } from "../../api.ts";
import { PanelButton } from "./action-button.tsx";
import { type AdminAction, useAdminAction } from "./use-admin-action.ts";
import { useMailNotice } from "./use-mail-notice.ts";

/** Calls that respond with a payment link. */
type LinkCall =
  | "POST /api/admin/drafts/:id/link"
  | "POST /api/admin/orders/:id/items/:changeId/link"
  | "POST /api/admin/orders/:id/exchange/:exchangeId/link";

/** Copies the payment link that the call returns, and shows a toast. */
export function CopyLinkButton<K extends LinkCall>({
  call,
  send,
}: {
  call: K;
  send: (run: AdminAction<K>["run"]) => Promise<ApiResult<{ data: { url: string } }>>;
}) {
  const { busy, run } = useAdminAction(call, { failure: "The link could not be copied" });
  const fetchLink = () => send(run).then((response) => (response.ok ? response.body.data.url : null));
  return (
    <PanelButton busy={busy} busyText="Copying..." onClick={() => void copyPaymentLink(fetchLink())}>
      <Icon glyph={Copy} size="small" /> Copy link
    </PanelButton>
  );
}

/** Toasts about sending a payment link to an e-mail address. */
export function usePaymentLinkTexts(email: string | null) {
  const mailNotice = useMailNotice();
  return {
    success: {
      title: mailNotice(
        "Payment link sent",
        "Payment link kept, not sent",
        "Payment link waiting to be sent",
      ),
      description: mailNotice(`To ${email}`),
    },
    failure: "The payment link was not sent",
  };
}

export const copyAddress = (lines: readonly string[], help: string) =>
  copyText(lines.join("\n"), { name: "Address", help });

/** A URL on a separate line, which breaks before a slash if it is too long, with a button that copies it. */
export function CopyableUrl({ url }: { url: string }) {
  return (
    <span className="flex items-center gap-1">
      <span className="min-w-0 wrap-anywhere select-all">
        {url.split(/(?<=\/\/.*)(?=\/)/).map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts may be equal and never move
          <Fragment key={index}>
            {index > 0 && <wbr />}
            {part}
          </Fragment>
        ))}
      </span>
      <IconButton
        label="Copy the address"
        className="-my-3 shrink-0"
        onClick={() => void copyText(url, { name: "Address", help: "Select it and copy it yourself." })}
      >
        <Icon glyph={Copy} size="small" />
      </IconButton>
    </span>
  );
}

/** Copies a text and shows a toast. `name`: the kind of text, such as "Address"; `help`: what to do if the browser refuses. */
export async function copyText(text: string, { name, help }: { name: string; help: string }): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast({ title: `${name} copied` });
  } catch {
    toast({ title: `The ${name.toLowerCase()} could not be copied`, description: help, tone: "danger" });
  }
}

/** Starts writing within the click, before the link has arrived: some browsers refuse the clipboard afterwards. */
async function copyPaymentLink(response: Promise<string | null>): Promise<void> {
  const isCopied = await writeToClipboard(response).then(
    () => true,
    () => false,
  );
  const link = await response;
  if (link === null) return;
  toast(
    isCopied
      ? { title: "Payment link copied" }
      : { title: "The link could not be copied", description: link, tone: "danger" },
  );
}

async function writeToClipboard(response: Promise<string | null>): Promise<void> {
  if (typeof ClipboardItem === "undefined") return navigator.clipboard.writeText((await response) ?? "");
  const text = response.then((link) => {
    if (link === null) throw new Error("there is no link");
    return new Blob([link], { type: "text/plain" });
  });
  await navigator.clipboard.write([new ClipboardItem({ "text/plain": text })]);
}
