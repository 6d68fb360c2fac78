import { isRouteErrorResponse, useLocation } from "react-router";
import { adminLoader } from "../features/admin/admin-data.ts";
import { Drawer } from "../features/admin/kit/drawer.tsx";
import { SentMessage } from "../features/admin/outbox/sent-message.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { Banner } from "../ui/error-banner.tsx";
import type { Route } from "./+types/admin-sent-message";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Sent message");

export const loader = adminLoader(
  async ({ params: { id } }: Route.LoaderArgs, read) =>
    (await read("GET /api/admin/outbox/:id", { params: { id } })).data,
);

export default function AdminSentMessage({ loaderData }: Route.ComponentProps) {
  return <SentMessage message={loaderData} />;
}

/** Replaces the message; the list behind it stays. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { search } = useLocation();
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  return (
    <Drawer title="Sent message" closeTo={`/admin/messages/sent${search}`}>
      <Banner title={isMissing ? "There is no such message." : "Failed to load the message."}>
        {isMissing
          ? "It may have been deleted with what it was about."
          : "Close this and open the message again in a moment."}
      </Banner>
    </Drawer>
  );
}
