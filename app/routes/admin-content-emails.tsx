import { adminLoader } from "../features/admin/admin-data.ts";
import { EmailList } from "../features/admin/content/text-lists.tsx";
import { problemPage } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-content-emails";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Emails");

export const loader = adminLoader(async (_: Route.LoaderArgs, read) => ({
  groups: (await read("GET /api/admin/email-texts")).data,
}));

export default function AdminContentEmails({ loaderData: { groups } }: Route.ComponentProps) {
  return <EmailList groups={groups} />;
}

export const ErrorBoundary = problemPage("Emails", "Failed to load the texts");
