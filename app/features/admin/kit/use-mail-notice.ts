import { useRouteLoaderData } from "react-router";
import type { loader } from "../../../routes/admin.tsx";

const keptNotSent = "No mail server is set: the email is kept under Messages, Sent, and was not sent.";
const waitsToBeSent = "No email leaves just now: it waits under Messages, Sent, and goes out by itself.";

/**
 * Returns a function that chooses the notice about an e-mail that an action sends: `sent`; `kept` if the shop has no mail
 * server and only stores it; `waits` during a mail outage.
 */
export function useMailNotice(): (sent: string, kept?: string, waits?: string) => string {
  const frame = useRouteLoaderData<typeof loader>("routes/admin");
  return (sent, kept = keptNotSent, waits = waitsToBeSent) => {
    if (frame?.mailIsSet === false) return kept;
    return frame?.mailOutage ? waits : sent;
  };
}
