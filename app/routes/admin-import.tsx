import { data } from "react-router";
import { importKinds } from "../../domain/imports/import.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { ImportFile } from "../features/admin/imports/import-file.tsx";
import { importTexts } from "../features/admin/imports/import-texts.ts";
import { RecentImports } from "../features/admin/imports/recent-imports.tsx";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { Route } from "./+types/admin-import";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Import");

export const loader = adminLoader(async ({ params }: Route.LoaderArgs, read) => {
  const kind = importKinds.find((each) => each === params.kind);
  if (!kind) throw data(null, { status: 404 });
  const { data: imports } = await read("GET /api/admin/imports");
  return { kind, imports: imports.filter((each) => each.kind === kind) };
});

/** Imports a CSV file: a dry run, the import, and its undo. */
export default function AdminImport({ loaderData: { kind, imports } }: Route.ComponentProps) {
  const { title, back } = importTexts[kind];
  return (
    <AdminPage title={title} back={back}>
      <div className="grid gap-6">
        <RecentImports imports={imports} />
        <ImportFile key={kind} kind={kind} />
      </div>
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Import", "The imports could not be loaded");
