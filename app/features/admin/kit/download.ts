import { toast } from "../../../ui/toast.tsx";
import { callApi } from "../../api.ts";
import { confirmIdentity, withUnlock } from "../shell/session-dialogs.tsx";

/** Downloads content that was created in the page. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  clickLink(url, name);
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/**
 * Lets the browser download a file, which may be too large for the page's memory, after the user has confirmed their
 * identity. `questionStart`: beginning of the question, such as "A backup is downloaded".
 */
export async function downloadConfirmed(href: string, questionStart: string): Promise<void> {
  const account = await withUnlock(() => callApi("GET /api/admin/account"));
  if (!account.ok) {
    toast({ title: "Nothing was downloaded", description: account.problem.message, tone: "danger" });
    return;
  }
  const isConfirmed =
    account.body.data.isConfirmed ||
    (await confirmIdentity(`${questionStart} only after you confirm your identity.`));
  if (isConfirmed) clickLink(href, "");
}

function clickLink(href: string, download: string): void {
  Object.assign(document.createElement("a"), { href, download }).click();
}
