import { useState } from "react";
import { Dialog } from "../../../ui/dialog.tsx";
import type { ApiResult } from "../../api.ts";
import { PanelButton } from "../kit/action-button.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { DifferenceView } from "./difference-view.tsx";

type Version<T> = { id: number; at: string; by: string; text: T | null };
export type Versions<T> = { data: Version<T>[]; nextCursor: number | null };

/** Published versions with author and date, to compare with the edited text or to restore. */
export function ContentHistory<T>({
  versions: { data, nextCursor },
  loadOlder: fetchOlder,
  editedText,
  standardText,
  toPlainText,
  emptyText,
  onRestore,
}: {
  versions: Versions<T>;
  loadOlder(cursor: number): Promise<ApiResult<Versions<T>>>;
  editedText: T;
  standardText: T;
  /** All fields as one plain text, for the comparison. */
  toPlainText(text: T): string;
  /** Text while nothing has been published yet. */
  emptyText: string;
  onRestore: (text: T) => void;
}) {
  const [olderVersions, setOlderVersions] = useState<Versions<T> | null>(null);
  const [comparedVersion, setComparedVersion] = useState<Version<T> | null>(null);
  const [isLoading, setLoading] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  const allVersions = [
    ...data,
    ...(olderVersions?.data.filter(({ id }) => !data.some((version) => version.id === id)) ?? []),
  ];
  const cursor = olderVersions ? olderVersions.nextCursor : nextCursor;
  async function loadOlder() {
    if (cursor === null) return;
    setLoading(true);
    const response = await fetchOlder(cursor);
    if (response.ok)
      setOlderVersions({ ...response.body, data: [...(olderVersions?.data ?? []), ...response.body.data] });
    setHasFailed(!response.ok);
    setLoading(false);
  }
  return (
    <section aria-labelledby="history" className="mt-10 max-w-232">
      <h2 id="history" className="mb-3 font-sans text-ui font-semibold tracking-normal">
        History
      </h2>
      {allVersions.length === 0 ? (
        <p className="text-small text-ink-muted">{emptyText}</p>
      ) : (
        <ul className="rounded-md border border-line bg-surface">
          {allVersions.map((version) => (
            <li
              key={version.id}
              className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 border-t border-line px-4 py-1.5 first:border-t-0"
            >
              <span className="text-small">
                <ShortDay iso={version.at} withTime />
                <span className="text-ink-muted">
                  , {version.by}
                  {version.text === null && ": back to the standard text"}
                </span>
              </span>
              <PanelButton variant="quiet" onClick={() => setComparedVersion(version)}>
                Compare
                <span className="sr-only">
                  {" "}
                  with <ShortDay iso={version.at} withTime />
                </span>
              </PanelButton>
            </li>
          ))}
        </ul>
      )}
      {cursor !== null && (
        <PanelButton busy={isLoading} className="mt-3" onClick={() => void loadOlder()}>
          Older versions
        </PanelButton>
      )}
      {hasFailed && (
        <p className="mt-2 text-small text-danger">Older versions could not be loaded. Please try again.</p>
      )}
      <Dialog
        open={comparedVersion !== null}
        onClose={() => setComparedVersion(null)}
        title="Compare"
        description="What this version would change in the text you have open."
        actions={
          comparedVersion && (
            <>
              <PanelButton onClick={() => setComparedVersion(null)}>Close</PanelButton>
              <PanelButton
                variant="primary"
                onClick={() => {
                  onRestore(comparedVersion.text ?? standardText);
                  setComparedVersion(null);
                }}
              >
                Use this version
              </PanelButton>
            </>
          )
        }
      >
        {comparedVersion && (
          <DifferenceView
            before={toPlainText(editedText)}
            after={toPlainText(comparedVersion.text ?? standardText)}
          />
        )}
      </Dialog>
    </section>
  );
}
