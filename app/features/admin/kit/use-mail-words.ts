import { useRouteLoaderData } from "react-router";
import type { loader } from "../../../routes/admin.tsx";

const keptNotSent = "No mail server is set: the email is kept under Messages, Sent, and was not sent.";

/**
 * What to say of an e-mail that an action sends: `sent`, or, where the shop has no mail server and only keeps it, `kept`.
 */
export function useMailWords(): (sent: string, kept?: string) => string {
  const counts = useRouteLoaderData<typeof loader>("routes/admin");
  return (sent, kept = keptNotSent) => (counts?.mailIsSet === false ? kept : sent);
}
