import { isRouteErrorResponse, useRevalidator } from "react-router";
import { adminLoader } from "../features/admin/admin-data.ts";
import { MessageView } from "../features/admin/contact/message-view.tsx";
import { PanelButton } from "../features/admin/kit/action-button.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { Banner } from "../ui/error-banner.tsx";
import type { Route } from "./+types/admin-message";

export const meta: Route.MetaFunction = (args) =>
  privatePageMeta(args, args.loaderData ? `Message ${args.loaderData.reference}` : "Message");

export const loader = adminLoader(
  async ({ params }: Route.LoaderArgs, read) =>
    (await read("GET /api/admin/messages/:id", { params: { id: params.id } })).data,
);

export default function AdminMessage({ loaderData }: Route.ComponentProps) {
  return <MessageView key={loaderData.id} message={loaderData} />;
}

/** Replaces a message that was deleted or could not be read; the list beside it stays. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { revalidate, state } = useRevalidator();
  const isDeleted = isRouteErrorResponse(error) && error.status === 404;
  return (
    <div className="p-[clamp(1.25rem,2.5vw,2rem)]">
      <Banner title={isDeleted ? "This message was deleted." : "Failed to load the message."}>
        {isDeleted ? (
          "Somebody in the panel deleted it, or its sender had it deleted."
        ) : (
          <PanelButton
            className="mt-2.5"
            busy={state === "loading"}
            busyText="Retrying..."
            onClick={() => void revalidate()}
          >
            Retry
          </PanelButton>
        )}
      </Banner>
    </div>
  );
}
