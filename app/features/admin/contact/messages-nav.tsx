import { SubNav } from "../kit/admin-page.tsx";

/** The two pages of Messages: what came in and what went out. */
export function MessagesNav() {
  return (
    <SubNav
      label="Messages"
      pages={[
        { to: "/admin/messages", label: "Inbox" },
        { to: "/admin/messages/sent", label: "Sent" },
      ]}
    />
  );
}
