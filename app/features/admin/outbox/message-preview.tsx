import { useId, useState } from "react";
import type { OutboxMessage } from "../../../../domain/outbox/outbox.ts";
import { Button } from "../../../ui/button.tsx";
import { withoutStyleSheet } from "../kit/without-style-sheet.ts";

/** The content of an e-mail or text message. Its HTML is shown in a sandboxed frame: no scripts, no forms, no working links. */
export function MessagePreview({ message }: { message: OutboxMessage }) {
  const [isPlain, setPlain] = useState(false);
  const headingId = useId();
  if (message.text === null) {
    return (
      <p className="mt-6 text-small text-ink-muted">
        {message.status === "queued" || message.status === "sending"
          ? "It is written when it is sent."
          : "What it said is not stored, or not any more."}
      </p>
    );
  }
  const html = isPlain ? null : message.html;
  return (
    <section aria-labelledby={headingId} className="mt-6">
      <div className="mb-2 flex items-center justify-between gap-3">
        <h3 id={headingId} className="font-sans text-ui font-semibold">
          What it said
        </h3>
        {message.html !== null && (
          <Button variant="quiet" size="small" onClick={() => setPlain(!isPlain)}>
            {isPlain ? "Show as email" : "Show as plain text"}
          </Button>
        )}
      </div>
      {html === null ? (
        <pre className="overflow-x-auto rounded-md border border-line bg-surface p-4 font-sans text-small whitespace-pre-wrap wrap-anywhere">
          {message.text}
        </pre>
      ) : (
        <iframe
          title={`Email: ${message.subject}`}
          sandbox=""
          srcDoc={withoutStyleSheet(html)}
          className="h-[36rem] w-full rounded-md border border-line bg-white"
        />
      )}
    </section>
  );
}
