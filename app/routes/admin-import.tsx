import { data } from "react-router";
import { countsText, type Import, importKinds } from "../../domain/imports/import.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { ImportFile } from "../features/admin/imports/import-file.tsx";
import { importTexts } from "../features/admin/imports/import-texts.ts";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { ButtonWithConfirmation } from "../features/admin/kit/confirm-dialog.tsx";
import { TimeOfDay } from "../features/admin/kit/short-day.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { Card } from "../ui/card.tsx";
import type { Route } from "./+types/admin-import";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Import");

export const loader = adminLoader(async ({ params }: Route.LoaderArgs, read) => {
  const kind = importKinds.find((importKind) => importKind === params.kind);
  if (!kind) throw data(null, { status: 404 });
  const { data: imports } = await read("GET /api/admin/imports");
  return { kind, imports: imports.filter((item) => item.kind === kind) };
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

/** The imports of the last hour, each with a button to undo it, or with the result of undoing it. */
function RecentImports({ imports }: { imports: readonly Import[] }) {
  if (imports.length === 0) return null;
  return (
    <section aria-labelledby="recent-imports">
      <h2 id="recent-imports" className="text-h3">
        Imported in the last hour
      </h2>
      <ul className="mt-3 grid gap-3">
        {imports.map((recentImport) => (
          <li key={recentImport.id}>
            <RecentImport recentImport={recentImport} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function RecentImport({ recentImport: { id, at, counts, undoUntil, undone } }: { recentImport: Import }) {
  return (
    <Card className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-4 text-ui">
      <div>
        <p className="font-medium">{countsText(counts)}</p>
        <p className="text-small text-ink-muted">
          <TimeOfDay iso={at} />
          {undone === null ? (
            <>
              , can be undone until <TimeOfDay iso={undoUntil} />
            </>
          ) : (
            `, undone: ${undone.rows} taken back${undone.kept.length > 0 ? `, ${undone.kept.length} kept` : ""}`
          )}
        </p>
      </div>
      {undone === null && (
        <ButtonWithConfirmation
          call="POST /api/admin/imports/:id/undo"
          label="Undo"
          buttonLabel="Undo this import"
          variant="secondary"
          title="Undo this import?"
          description="Added rows are removed, and changed rows get their earlier values back. Rows that were changed or used since stay as they are, and are listed."
          confirmLabel="Undo import"
          busyText="Undoing..."
          send={(run) => run({ params: { id } })}
          success={({ data: { undone } }) => ({ title: `Undone: ${undone?.rows ?? 0} taken back` })}
        />
      )}
      {undone !== null && undone.kept.length > 0 && (
        <ul className="w-full divide-y divide-line border-t border-line text-small">
          {undone.kept.map(({ line, label, reason }) => (
            <li key={`${line} ${label}`} className="py-2 wrap-anywhere">
              <b className="font-medium">{label}</b> is kept. {reason}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
