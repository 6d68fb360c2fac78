import FileUp from "lucide-react/icons/file-up";
import { useState } from "react";
import { Link } from "react-router";
import {
  countsText,
  type ImportCheck,
  type ImportKind,
  type ImportRow,
  type ImportRowState,
  importLimits,
} from "../../../../domain/imports/import.ts";
import { focusHeading } from "../../../shell/page-focus.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { randomUuid } from "../../../ui/browser/random-uuid.ts";
import { buttonClass } from "../../../ui/button.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { PanelButton } from "../kit/action-button.tsx";
import { PageSection } from "../kit/admin-page.tsx";
import { DataTable } from "../kit/list/data-table.tsx";
import { sendForm, useAdminAction } from "../kit/use-admin-action.ts";
import { importTexts } from "./import-texts.ts";

/** Long enough for a large file over a slow connection, and for all its rows. */
const timeoutMs = 5 * 60_000;
/** Number of rows of the dry run shown at first. */
const initialRowCount = 100;

/** A chosen file with its dry run. `id`: the import's id, the same for every attempt. */
type CheckedFile = { file: File; check: ImportCheck; id: string };

/** Chooses a file, shows the effect on each row, and imports it. */
export function ImportFile({ kind }: { kind: ImportKind }) {
  const [checkedFile, setCheckedFile] = useState<CheckedFile | null>(null);
  const [isOutdated, setOutdated] = useState(false);
  const check = useAdminAction("POST /api/admin/imports/check", { failure: null, reloads: false });
  const importAction = useAdminAction("POST /api/admin/imports", { failure: null });
  const problem = check.problem ?? importAction.problem;
  /** The response to the import itself was lost: the file may have been imported. */
  const isOutcomeUnknown =
    importAction.problem !== null &&
    (importAction.problem.status === 0 || importAction.problem.status >= 500);

  async function checkFile(file: File) {
    setCheckedFile(null);
    importAction.clearProblem();
    const response = await check.perform(() =>
      sendForm("POST /api/admin/imports/check", { kind, file }, timeoutMs),
    );
    if (response.ok) setCheckedFile({ file, check: response.body.data, id: randomUuid() });
  }

  async function importAll({ file, check: { key }, id }: CheckedFile) {
    const response = await importAction.perform(
      () => sendForm("POST /api/admin/imports", { kind, id, key, file }, timeoutMs),
      {
        success: ({ data: { counts } }) => ({ title: "Imported", description: `${countsText(counts)}.` }),
      },
    );
    if (response.ok) {
      setCheckedFile(null);
      // The focused button disappears with the rows.
      focusHeading();
    }
    const isNowOutdated = !response.ok && response.problem.error === "invalid_state";
    setOutdated(isNowOutdated);
    if (isNowOutdated) await checkFile(file);
  }

  return (
    <>
      {problem && (
        <Banner
          title={
            isOutcomeUnknown ? "It is not known whether the file was imported." : "Nothing was imported."
          }
        >
          {isOutcomeUnknown
            ? `${problem.message} Press Import again: the file is imported once.`
            : problem.message}
        </Banner>
      )}
      <div className="max-w-2xl">
        <PageSection
          title={checkedFile?.file.name ?? "CSV file"}
          lead={!checkedFile && importTexts[kind].lead}
        >
          <FileButton
            isChosen={checkedFile !== null}
            busy={check.busy || importAction.busy}
            onChoose={(file) => {
              setOutdated(false);
              void checkFile(file);
            }}
          />
          {!checkedFile && <Columns kind={kind} />}
        </PageSection>
      </div>
      {isOutdated && checkedFile && (
        <Banner tone="warning" title="The shop has changed since the check. Nothing was imported.">
          Below is what the file would do now.
        </Banner>
      )}
      {checkedFile && (
        <DryRun
          key={checkedFile.id}
          check={checkedFile.check}
          busy={importAction.busy}
          onImport={() => void importAll(checkedFile)}
        />
      )}
    </>
  );
}

function Columns({ kind }: { kind: ImportKind }) {
  const { rules, columns, recognized } = importTexts[kind];
  const megabytes = importLimits.bytes / 1024 / 1024;
  const facts = {
    Required: columns.required,
    Optional: columns.optional,
    "Also accepts": recognized,
    Format: `CSV with commas or semicolons, at most ${importLimits.rows.toLocaleString("en-US")} rows and ${megabytes} MB`,
  };
  return (
    <div className="grid gap-4 text-small">
      <ul className="grid max-w-160 list-disc gap-1 pl-4.5 marker:text-copper-600">
        {rules.map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
        {kind === "products" && (
          <li>
            To change only stock,{" "}
            <Link className="link" to="/admin/import/stock">
              import stock counts
            </Link>
            .
          </li>
        )}
      </ul>
      <dl className="max-w-160 divide-y divide-line border-t border-line">
        {Object.entries(facts).map(
          ([name, text]) =>
            text && (
              <div key={name} className="grid py-2.5 last:pb-0 sm:grid-cols-[9rem_1fr]">
                <dt className="text-ink-muted">{name}</dt>
                <dd>{text}</dd>
              </div>
            ),
        )}
      </dl>
    </div>
  );
}

function FileButton({
  isChosen,
  busy,
  onChoose,
}: {
  isChosen: boolean;
  busy: boolean;
  onChoose: (file: File) => void;
}) {
  return (
    <div>
      <label
        className={`${buttonClass({ variant: isChosen ? "secondary" : "primary", size: "small" })} cursor-pointer focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-focus`}
      >
        <Icon glyph={FileUp} size="small" />{" "}
        {busy ? "Checking..." : isChosen ? "Choose another file" : "Choose a CSV file"}
        <input
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          className="sr-only"
          // Not disabled while busy, because it would lose the focus.
          onClick={(event) => busy && event.preventDefault()}
          onChange={({ target }) => {
            const file = target.files?.[0];
            // Lets the same file be chosen again after it has been edited.
            target.value = "";
            if (file && !busy) onChoose(file);
          }}
        />
      </label>
    </div>
  );
}

const states: Record<ImportRowState, { label: string; tone: "green" | "blue" | "cream" | "red" }> = {
  new: { label: "New", tone: "green" },
  changed: { label: "Changed", tone: "blue" },
  same: { label: "Unchanged", tone: "cream" },
  refused: { label: "Refused", tone: "red" },
};

/** The outcome of each row, and the button that imports them. */
function DryRun({ check, busy, onImport }: { check: ImportCheck; busy: boolean; onImport: () => void }) {
  const { counts, rows, notes, format } = check;
  const [state, setState] = useState<ImportRowState | null>(null);
  const [shownCount, setShownCount] = useState(initialRowCount);
  const importableCount = counts.new + counts.changed;
  const matchingRows = state === null ? rows : rows.filter((row) => row.state === state);
  const filters = (Object.keys(states) as ImportRowState[]).filter((state) => counts[state] > 0);
  return (
    <section aria-labelledby="dry-run" className="grid gap-4">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <h2 id="dry-run" className="text-h3">
            What the file would do
          </h2>
          <p role="status" className="mt-1 max-w-160 text-small text-ink-muted">
            {format}: {countsText(counts)}. Nothing has been imported yet.
            {counts.refused > 0 &&
              importableCount > 0 &&
              " Refused rows are left out. All others are imported together, or none of them."}
          </p>
        </div>
        <PanelButton
          variant="primary"
          busy={busy}
          busyText="Importing..."
          disabled={importableCount === 0}
          onClick={onImport}
        >
          {importableCount === 0 ? "Nothing to import" : `Import ${rowsText(importableCount)}`}
        </PanelButton>
      </div>
      {notes.map((note) => (
        <Banner key={note} tone="info" title={note} />
      ))}
      {filters.length > 1 && (
        <fieldset className="flex min-w-0 max-w-full gap-0.5 justify-self-start overflow-x-auto rounded-sm bg-cream p-0.75">
          <legend className="sr-only">Show rows</legend>
          {[null, ...filters].map((filter) => (
            <button
              key={filter ?? "all"}
              type="button"
              aria-pressed={filter === state}
              className="min-h-11 shrink-0 rounded-[3px] px-3.5 text-small font-medium whitespace-nowrap -outline-offset-2! aria-pressed:bg-surface aria-pressed:shadow-header forced-colors:aria-pressed:underline"
              onClick={() => setState(filter)}
            >
              {filter === null ? "All" : states[filter].label}{" "}
              <span className="ml-0.5 text-ink-muted tabular-nums">
                {filter === null ? rows.length : counts[filter]}
              </span>
            </button>
          ))}
        </fieldset>
      )}
      <DataTable<ImportRow>
        caption="Rows of the file"
        rows={matchingRows.slice(0, shownCount)}
        rowKey={({ line, label }) => `${line} ${label}`}
        empty={null}
        columns={[
          {
            header: "Row",
            phone: "max-md:col-start-1 max-md:row-start-1",
            cell: ({ line, label }) => (
              <>
                <span className="font-medium wrap-anywhere">{label}</span>
                <span className="block text-caption text-ink-muted">Line {line}</span>
              </>
            ),
          },
          {
            header: "State",
            phone: "max-md:col-start-2 max-md:row-start-1 max-md:justify-self-end",
            cell: ({ state }) => <Badge tone={states[state].tone}>{states[state].label}</Badge>,
          },
          {
            header: "What happens",
            phone: "max-md:col-span-2 max-md:row-start-2",
            cell: ({ state, text, before }) => (
              <span className={`wrap-anywhere ${state === "refused" ? "text-danger" : ""}`}>
                {before !== null && <span className="block text-small text-ink-muted">Now: {before}</span>}
                {before !== null && <span className="sr-only">Then: </span>}
                {text}
              </span>
            ),
          },
        ]}
      />
      {matchingRows.length > shownCount && (
        <div>
          <PanelButton
            onClick={() => {
              setShownCount(matchingRows.length);
              // The focused button disappears.
              focusHeading(document.getElementById("dry-run"));
            }}
          >
            Show all {rowsText(matchingRows.length)}
          </PanelButton>
        </div>
      )}
    </section>
  );
}

function rowsText(count: number): string {
  return count === 1 ? "1 row" : `${count.toLocaleString("en-US")} rows`;
}
