import FileText from "lucide-react/icons/file-text";
import Trash2 from "lucide-react/icons/trash-2";
import { useRef, useState } from "react";
import type { DisputeReason } from "../../../../domain/disputes/dispute-reasons.ts";
import {
  type Evidence,
  type EvidenceFile,
  type EvidenceSlot,
  evidenceFileTypes,
  evidenceLimits,
  evidenceSlotNames,
  evidenceSlots,
} from "../../../../domain/disputes/evidence.ts";
import { Badge } from "../../../ui/badge.tsx";
import { IconButton } from "../../../ui/button.tsx";
import { Select } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { PanelButton } from "../kit/action-button.tsx";
import { sendForm, useAdminAction } from "../kit/use-admin-action.ts";

/** The files of the evidence, one for each kind that the bank accepts. */
export function EvidenceFiles({
  disputeId,
  evidence,
  reason,
  isEditable,
}: {
  disputeId: string;
  evidence: Evidence;
  reason: DisputeReason;
  /** Whether the evidence can still be changed. */
  isEditable: boolean;
}) {
  const { files } = evidence;
  const hasFile = (slot: EvidenceSlot) => files.some((file) => file.slot === slot);
  const missingSlot = reason.slots.find((slot) => !hasFile(slot));
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return (
    <section aria-labelledby="evidence-files">
      <h2 id="evidence-files" className="mb-1 card-title">
        Files
      </h2>
      <p className="mb-3 text-small text-ink-muted">
        {sizeText(bytes)} of 4.5 MB. Banks read at most {evidenceLimits.pages} pages in total, Mastercard’s{" "}
        {evidenceLimits.mastercardPages}.
      </p>
      {files.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {files.map((file) => (
            <FileRow key={file.id} disputeId={disputeId} file={file} isEditable={isEditable} />
          ))}
        </ul>
      )}
      {isEditable && (
        <AddFile
          key={missingSlot}
          disputeId={disputeId}
          hasFile={hasFile}
          initialSlot={missingSlot ?? "uncategorizedFile"}
          recommendedSlots={reason.slots}
        />
      )}
    </section>
  );
}

function FileRow({
  disputeId,
  file,
  isEditable,
}: {
  disputeId: string;
  file: EvidenceFile;
  isEditable: boolean;
}) {
  const { id, slot, name, size, origin } = file;
  const removal = useAdminAction("DELETE /api/admin/disputes/:id/files/:fileId", {
    success: { title: `${evidenceSlots[slot]} removed` },
    failure: "The file could not be removed",
  });
  return (
    <li className="flex items-center gap-3 py-2 text-ui">
      <Icon glyph={FileText} className="text-ink-muted" />
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-x-2">
          {evidenceSlots[slot]}
          {origin === "shop" && <Badge tone="cream">From the order</Badge>}
        </span>
        <a
          href={`/api/admin/disputes/${encodeURIComponent(disputeId)}/files/${id}`}
          download
          className="link inline-flex min-h-11 items-center text-small wrap-anywhere md:min-h-8"
        >
          {name} ({sizeText(size)})
        </a>
      </span>
      {isEditable && (
        <IconButton
          label={`Remove: ${evidenceSlots[slot]}`}
          disabled={removal.busy}
          onClick={() => void removal.run({ params: { id: disputeId, fileId: id } })}
        >
          <Icon glyph={Trash2} />
        </IconButton>
      )}
    </li>
  );
}

/** Long enough for slow mobile connections. */
const uploadTimeoutMs = 5 * 60_000;

function AddFile({
  disputeId,
  hasFile,
  initialSlot,
  recommendedSlots,
}: {
  disputeId: string;
  hasFile: (slot: EvidenceSlot) => boolean;
  initialSlot: EvidenceSlot;
  recommendedSlots: readonly EvidenceSlot[];
}) {
  const [slot, setSlot] = useState<EvidenceSlot>(initialSlot);
  const [problem, setProblem] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const key = "POST /api/admin/disputes/:id/files";
  const upload = useAdminAction(key, {
    success: { title: `${evidenceSlots[slot]} added` },
    failure: null,
  });

  async function add(file: File) {
    if (file.size > evidenceLimits.bytes) {
      setProblem(`This file has ${sizeText(file.size)}. All files together may have 4.5 MB.`);
      return;
    }
    setProblem(null);
    const response = await upload.perform(() => sendForm(key, { slot, file }, uploadTimeoutMs, disputeId));
    if (!response.ok) setProblem(response.problem.fields.file ?? response.problem.message);
  }

  return (
    <div className="mt-4 grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_auto]">
      <Select
        label="What it shows"
        name="slot"
        value={slot}
        hint={hasFile(slot) ? "Replaces the file above." : "PDF, JPEG or PNG."}
        error={problem}
        disabled={upload.busy}
        onChange={(event) => {
          const chosenSlot = evidenceSlotNames.find((name) => name === event.target.value);
          if (chosenSlot) setSlot(chosenSlot);
          setProblem(null);
        }}
      >
        {[...recommendedSlots, ...evidenceSlotNames.filter((name) => !recommendedSlots.includes(name))].map(
          (name) => (
            <option key={name} value={name}>
              {evidenceSlots[name]}
            </option>
          ),
        )}
      </Select>
      <input
        ref={input}
        type="file"
        accept={evidenceFileTypes.join(",")}
        className="sr-only"
        tabIndex={-1}
        aria-label="File"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = "";
          if (file) void add(file);
        }}
      />
      <PanelButton
        className="min-h-12.5 sm:mt-6.5"
        busy={upload.busy}
        busyText="Uploading..."
        onClick={() => input.current?.click()}
      >
        {hasFile(slot) ? "Replace the file" : "Add a file"}
      </PanelButton>
    </div>
  );
}

/** Such as "12 KB" or "1.4 MB". */
function sizeText(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
