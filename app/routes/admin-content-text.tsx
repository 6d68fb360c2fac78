import { data } from "react-router";
import { contentPages } from "../../domain/content/pages.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { ContentEditor } from "../features/admin/content/content-editor.tsx";
import { problemPage } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-content-text";

export const meta: Route.MetaFunction = (args) =>
  privatePageMeta(args, args.loaderData ? contentPages[args.loaderData.text.key].name : "Pages and policies");

export const loader = adminLoader(async ({ params }: Route.LoaderArgs, read) => {
  // First, because this call checks the session.
  const { data: texts } = await read("GET /api/admin/content");
  const page = texts.find(({ key }) => key === params.key);
  if (!page) throw data({ message: "No page has this name." }, { status: 404 });
  const [text, versions] = await Promise.all([
    read("GET /api/admin/content/:key", { params: { key: page.key } }),
    read("GET /api/admin/content/:key/versions", { params: { key: page.key } }),
  ]);
  return { text: text.data, versions };
});

export default function AdminContentText({ loaderData: { text, versions } }: Route.ComponentProps) {
  return <ContentEditor key={text.key} saved={text} versions={versions} />;
}

export const ErrorBoundary = problemPage("Pages and policies", "Failed to load the text");
