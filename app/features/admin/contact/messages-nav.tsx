import { SubNav } from "../kit/admin-page.tsx";

/** Links to the two pages of Messages: inbox and sent messages. */
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
