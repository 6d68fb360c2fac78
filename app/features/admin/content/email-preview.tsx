import { useEffect, useRef, useState } from "react";
import type { EditedEmail, EmailFieldTexts } from "../../../../domain/content/emails/email-edit.ts";
import type { ApiBody } from "../../../shop-context.ts";
import { Options, SelectBox } from "../../../ui/field.tsx";
import { callApi } from "../../api.ts";
import { useApiResult } from "../../use-api-result.ts";
import { Loading } from "../kit/loading.tsx";
import { withoutStyleSheet } from "../outbox/without-style-sheet.ts";
import { PreviewPane } from "./preview-pane.tsx";

type EmailCheck = ApiBody<"POST /api/admin/email-texts/:kind/check">["data"];

/** Pause in typing (ms) before the text is checked. */
const debounceMs = 400;

/** `failure`: why the text could not be checked. */
type CheckWithFailure<Check> = Check & { failure: string | null };

/** The server's check of the edited text. The last rendered e-mail is kept while the text has problems. */
export function useEmailCheck(
  kind: EditedEmail["kind"],
  text: EmailFieldTexts,
  sample: number,
): CheckWithFailure<EmailCheck> | null {
  const rendered = useRef<EmailCheck["rendered"]>(null);
  const { body, problem } = useApiResult(
    { text, sample },
    async (body, signal) => {
      const response = await callApi("POST /api/admin/email-texts/:kind/check", {
        params: { kind },
        body,
        signal,
      });
      if (response.ok && response.body.data.rendered) rendered.current = response.body.data.rendered;
      return response;
    },
    debounceMs,
  );
  if (!body && !problem) return null;
  const check = body?.data ?? { problems: {}, warnings: [] };
  return { ...check, rendered: rendered.current, failure: problem?.message ?? null };
}

const views = ["Phone", "Computer", "Plain text"] as const;
const widths = { Phone: 390, Computer: 680 };

/** The e-mail as it would be sent, in a sandboxed frame: no scripts, no forms, no working links. */
export function EmailPreview({
  check,
  samples = [],
  sample,
  onSample,
}: {
  check: CheckWithFailure<Pick<EmailCheck, "problems" | "rendered">> | null;
  /** Names of the sample orders or persons to choose from; with fewer than two, there is no choice. */
  samples?: readonly string[];
  sample?: number;
  onSample?(sample: number): void;
}) {
  const [view, setView] = useState<(typeof views)[number]>("Phone");
  const rendered = check?.rendered ?? null;
  const hasProblems = Object.keys(check?.problems ?? {}).length > 0;
  return (
    <PreviewPane
      actions={
        <div className="inline-flex gap-0.5 rounded-sm bg-cream p-0.75">
          {views.map((option) => (
            <button
              key={option}
              type="button"
              aria-pressed={option === view}
              className="min-h-11 rounded-[3px] px-3.5 text-small font-medium whitespace-nowrap -outline-offset-2! aria-pressed:bg-surface aria-pressed:shadow-header forced-colors:aria-pressed:underline"
              onClick={() => setView(option)}
            >
              {option}
            </button>
          ))}
        </div>
      }
    >
      {samples.length > 1 && (
        <SelectBox
          aria-label="Sample"
          className="min-h-11! py-2!"
          value={sample}
          onChange={({ target }) => onSample?.(Number(target.value))}
        >
          <Options of={samples.entries()} />
        </SelectBox>
      )}
      {hasProblems && (
        <p className="text-small text-danger" role="status">
          Correct the marked fields to update the preview.
        </p>
      )}
      {!hasProblems && check?.failure && (
        <p className="text-small text-danger" role="alert">
          {check.failure}
        </p>
      )}
      {rendered === null ? (
        !check && <Loading className="h-160" />
      ) : (
        <>
          <p className="rounded-sm border border-line bg-surface px-3 py-2 text-small wrap-anywhere">
            <span className="text-ink-muted">Subject: </span>
            <strong className="font-semibold">{rendered.subject}</strong>
          </p>
          {view === "Plain text" ? (
            <pre
              // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
              tabIndex={0}
              className="max-h-160 overflow-auto rounded-md border border-line bg-surface p-4 font-sans text-small whitespace-pre-wrap wrap-anywhere"
            >
              {rendered.text}
            </pre>
          ) : (
            <ScaledFrame html={rendered.html} width={widths[view]} title={`Email: ${rendered.subject}`} />
          )}
        </>
      )}
    </PreviewPane>
  );
}

const frameHeight = 640;

/** An e-mail laid out `width` pixels wide, and scaled down to the available width. */
function ScaledFrame({ html, width, title }: { html: string; width: number; title: string }) {
  const box = useRef<HTMLDivElement>(null);
  const [availableWidth, setAvailableWidth] = useState(width);
  useEffect(() => {
    if (!box.current) return;
    const observer = new ResizeObserver(([entry]) => {
      // The width is 0 while the box is hidden.
      if (entry && entry.contentRect.width > 0) setAvailableWidth(entry.contentRect.width);
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const scale = Math.min(1, availableWidth / width);
  return (
    <div
      ref={box}
      className="overflow-hidden rounded-md border border-line bg-white"
      style={{ height: frameHeight }}
    >
      <iframe
        title={title}
        sandbox=""
        srcDoc={withoutStyleSheet(html)}
        className="mx-auto block origin-top-left"
        style={{
          width,
          height: frameHeight / scale,
          transform: scale < 1 ? `scale(${scale})` : undefined,
        }}
      />
    </div>
  );
}
