import { useEffect } from "react";
import { useRevalidator } from "react-router";
import type { InboxMessage } from "../../../../domain/contact/inbox.ts";
import { callApi } from "../../api.ts";

/** Who opens a message has read it. Fails silently: it then stays unread, and nothing else. */
export function useMarkRead({ id, readAt }: InboxMessage): void {
  const { revalidate } = useRevalidator();
  const isUnread = readAt === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once when it is opened; marked as unread again, it stays so
  useEffect(() => {
    if (!isUnread) return;
    void callApi("PATCH /api/admin/messages/:id", { params: { id }, body: { read: true } }).then((answer) => {
      if (answer.ok) void revalidate();
    });
  }, [id]);
}
