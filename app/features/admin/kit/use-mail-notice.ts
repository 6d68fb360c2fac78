import { useRouteLoaderData } from "react-router";
import type { loader } from "../../../routes/admin.tsx";

const storedNotice = "No mail server is set: the email is kept under Messages, Sent, and was not sent.";
const queuedNotice =
  "Email sending is interrupted: it waits under Messages, Sent, and is sent automatically.";

/**
 * Returns a function that chooses the notice about an e-mail that an action sends: `sentText`; `storedText` if the shop
 * has no mail server and only stores it; `queuedText` during a mail outage.
 */
export function useMailNotice(): (sentText: string, storedText?: string, queuedText?: string) => string {
  const frame = useRouteLoaderData<typeof loader>("routes/admin");
  return (sentText, storedText = storedNotice, queuedText = queuedNotice) => {
    if (frame?.mailIsSet === false) return storedText;
    return frame?.mailOutage ? queuedText : sentText;
  };
}
