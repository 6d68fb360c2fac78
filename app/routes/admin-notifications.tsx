import { adminLoader } from "../features/admin/admin-data.ts";
import { problemPage } from "../features/admin/kit/admin-page.tsx";
import { type NotificationsData, NotificationsPage } from "../features/admin/outbox/notifications-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-notifications";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Notification Settings");

export const loader = adminLoader(async (_: Route.LoaderArgs, read): Promise<NotificationsData> => {
  const [channels, settings, texts, devices] = await Promise.all([
    read("GET /api/notifications/sms-settings"),
    read("GET /api/admin/settings"),
    read("GET /api/admin/outbox", { query: { channel: "sms", limit: "5" } }),
    read("GET /api/admin/account/devices"),
  ]);
  return {
    channels: channels.data,
    email: settings.data.notifications.email,
    texts: texts.data,
    devices: devices.data,
  };
});

export default function AdminNotifications({ loaderData }: Route.ComponentProps) {
  return <NotificationsPage data={loaderData} />;
}

export const ErrorBoundary = problemPage("Notification Settings", "Failed to load notification settings");
