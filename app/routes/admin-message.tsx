import { adminLoader } from "../features/admin/admin-data.ts";
import { MessageProblem } from "../features/admin/contact/message-problem.tsx";
import { MessageView } from "../features/admin/contact/message-view.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
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

export function ErrorBoundary(_: Route.ErrorBoundaryProps) {
  return <MessageProblem />;
}
