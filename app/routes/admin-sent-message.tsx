import { adminLoader } from "../features/admin/admin-data.ts";
import { SentMessage } from "../features/admin/outbox/sent-message.tsx";
import { SentMessageProblem } from "../features/admin/outbox/sent-message-problem.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-sent-message";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Sent message");

export const loader = adminLoader(
  async ({ params: { id } }: Route.LoaderArgs, read) =>
    (await read("GET /api/admin/outbox/:id", { params: { id } })).data,
);

export default function AdminSentMessage({ loaderData }: Route.ComponentProps) {
  return <SentMessage message={loaderData} />;
}

export function ErrorBoundary(_: Route.ErrorBoundaryProps) {
  return <SentMessageProblem />;
}
