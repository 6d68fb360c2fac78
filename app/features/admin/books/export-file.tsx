import Download from "lucide-react/icons/download";
import { useEffect, useRef, useState } from "react";
import { type BookFile, bookFileTexts } from "../../../../domain/books/exports.ts";
import { Icon } from "../../../ui/icon.tsx";
import { toast } from "../../../ui/toast.tsx";
import { PanelButton } from "../kit/action-button.tsx";
import { saveFile } from "../kit/download.ts";

/** Downloads one file of the books and shows the progress, because a year with many orders takes a while. */
export function ExportFile({ file, from, to }: { file: BookFile; from: string; to: string }) {
  /** Downloaded share of the file, 0 to 1; null while no download is running. */
  const [progress, setProgress] = useState<number | null>(null);
  const abortController = useRef<AbortController | null>(null);
  useEffect(() => () => abortController.current?.abort(), []);
  const { title, about } = bookFileTexts[file];

  async function download() {
    const controller = new AbortController();
    abortController.current = controller;
    setProgress(0);
    try {
      const response = await fetch(`/api/admin/books/${file}?from=${from}&to=${to}`, {
        signal: controller.signal,
      });
      if (!response.ok || response.body === null) throw new Error(String(response.status));
      saveFile(
        await readAll(response.body, Number(response.headers.get("X-Lines")), setProgress),
        `${file}-${from}-${to}.csv`,
      );
    } catch {
      if (!controller.signal.aborted)
        toast({
          title: `${title} could not be downloaded completely`,
          description: "Please try again.",
          tone: "danger",
        });
    }
    if (!controller.signal.aborted) setProgress(null);
  }

  return (
    <li className="grid gap-x-4 gap-y-1 py-3 sm:grid-cols-[1fr_auto] sm:items-center">
      <div>
        <p className="font-medium">{title}</p>
        <p className="text-small text-ink-muted">{about}</p>
      </div>
      <PanelButton
        busy={progress !== null}
        busyText="Reading..."
        aria-label={`Download ${title} as CSV`}
        onClick={() => void download()}
      >
        <Icon glyph={Download} size="small" /> CSV
      </PanelButton>
      {progress !== null && (
        <progress
          className="w-full sm:col-span-2"
          aria-label={`Download of ${title}`}
          value={progress}
          max={1}
        />
      )}
    </li>
  );
}

/** Reads the whole response; `lines`: estimated number of lines, for the progress. */
async function readAll(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  lines: number,
  onProgress: (share: number) => void,
): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let lineCount = 0;
  const reader = body.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return new Blob(parts, { type: "text/csv;charset=utf-8" });
    parts.push(value);
    for (const byte of value) if (byte === 10) lineCount += 1;
    // `lines` is an estimate, so 100 % is not shown before the end.
    onProgress(Math.min(0.99, lineCount / Math.max(lines, 1)));
  }
}
