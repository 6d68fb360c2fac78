import ImageUp from "lucide-react/icons/image-up";
import X from "lucide-react/icons/x";
import { type DragEvent, useState } from "react";
import { productLimits } from "../../../../../domain/catalog/product-admin.ts";
import { uploadLimits } from "../../../../../domain/catalog/upload-limits.ts";
import { buttonClass, IconButton } from "../../../../ui/button.tsx";
import { Field } from "../../../../ui/field.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { PanelButton } from "../../kit/action-button.tsx";
import type { Upload, useUploads } from "./use-uploads.ts";

/** Lets the owner choose pictures, describe and upload them. */
export function UploadList({
  uploads: uploader,
  slotsLeft,
}: {
  uploads: ReturnType<typeof useUploads>;
  slotsLeft: number;
}) {
  const { uploads, isSending } = uploader;
  const hasSmallPicture = uploads.some(
    ({ state, width }) => state === "chosen" && width !== null && width < uploadLimits.minWidth,
  );
  const readyCount = uploads.filter(({ state }) => state === "chosen").length;
  async function send() {
    const incompleteId = await uploader.sendAll();
    if (incompleteId !== null) document.getElementById(`upload-alt-${incompleteId}`)?.focus();
  }
  if (slotsLeft <= 0) {
    return (
      <p className="text-small text-ink-muted">
        At most {productLimits.images} pictures. Delete one before you add another.
      </p>
    );
  }
  return (
    <div className="grid gap-4">
      <FilePicker
        onChoose={(files) => uploader.choose(files.slice(0, Math.max(0, slotsLeft - uploads.length)))}
      />
      {uploads.length > 0 && (
        <ul className="grid gap-3" aria-label="Pictures to upload">
          {uploads.map((upload) => (
            <li key={upload.id} className="rounded-sm border border-line bg-surface p-3">
              <UploadRow
                upload={upload}
                onDescribe={(alt) => uploader.describe(upload.id, alt)}
                onRemove={() => uploader.remove(upload.id)}
              />
            </li>
          ))}
        </ul>
      )}
      {(readyCount > 0 || isSending) && (
        <div>
          <PanelButton variant="primary" busy={isSending} busyText="Uploading..." onClick={() => void send()}>
            {hasSmallPicture
              ? readyCount === 1
                ? "Upload picture anyway"
                : `Upload ${readyCount} pictures anyway`
              : readyCount === 1
                ? "Upload picture"
                : `Upload ${readyCount} pictures`}
          </PanelButton>
        </div>
      )}
    </div>
  );
}

function FilePicker({ onChoose }: { onChoose: (files: File[]) => void }) {
  const [isDraggedOver, setDraggedOver] = useState(false);
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes("Files");
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping files is a shortcut for the button inside
    <div
      className={`grid justify-items-start gap-2 rounded-sm border border-dashed p-4 ${isDraggedOver ? "border-forest-800 bg-cream-soft" : "border-line-strong"}`}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setDraggedOver(true);
      }}
      onDragLeave={() => setDraggedOver(false)}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setDraggedOver(false);
        onChoose([...event.dataTransfer.files]);
      }}
    >
      <label
        className={`${buttonClass({ variant: "secondary", size: "small" })} cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus`}
      >
        <Icon glyph={ImageUp} size="small" /> Choose pictures
        <input
          type="file"
          multiple
          accept={uploadLimits.types.join(",")}
          className="sr-only"
          onChange={(event) => {
            onChoose([...(event.target.files ?? [])]);
            // Lets the same file be chosen again after it has been corrected.
            event.target.value = "";
          }}
        />
      </label>
      <p className="text-caption text-ink-muted">
        Or drop them here. JPEG, PNG, WebP or AVIF, at most 10 MiB and{" "}
        {uploadLimits.maxSide.toLocaleString("en-US")} pixels a side. Square ones fit best; under{" "}
        {uploadLimits.minWidth} pixels wide they look soft.
      </p>
    </div>
  );
}

function UploadRow({
  upload,
  onDescribe,
  onRemove,
}: {
  upload: Upload;
  onDescribe: (alt: string) => void;
  onRemove: () => void;
}) {
  const { id, file, alt, preview, width, state, progress, problem } = upload;
  const isUploading = state === "waiting" || state === "sending";
  return (
    <div className="grid grid-cols-[4.5rem_minmax(0,1fr)_auto] items-start gap-x-3 gap-y-1.5">
      {preview ? (
        <img
          src={preview}
          width={72}
          height={72}
          alt=""
          className="size-18 rounded-xs bg-cream object-cover sm:row-span-2"
        />
      ) : (
        <span className="size-18 rounded-xs bg-cream sm:row-span-2" />
      )}
      <p className="min-w-0 text-caption wrap-anywhere text-ink-muted">{file.name}</p>
      <div className="col-start-2 row-start-2 grid gap-1.5 max-sm:col-span-full max-sm:col-start-1">
        {state === "rejected" ? (
          <p role="alert" className="text-small font-medium text-danger">
            {problem}
          </p>
        ) : (
          <Field
            id={`upload-alt-${id}`}
            name={`upload-alt-${id}`}
            label="What is in the picture"
            required
            maxLength={productLimits.alt}
            disabled={isUploading}
            value={alt}
            error={problem}
            hint="Screen readers read it aloud."
            onChange={(event) => onDescribe(event.target.value)}
          />
        )}
        {width !== null && width < uploadLimits.minWidth && !isUploading && (
          <p role="alert" className="text-small font-medium text-warning">
            Only {width} pixels wide: it will look soft when enlarged. Choose a picture at least{" "}
            {uploadLimits.minWidth} pixels wide if you have one.
          </p>
        )}
        {isUploading && (
          <p className="flex items-center gap-3 text-caption text-ink-muted">
            <progress
              aria-label={`Upload of ${file.name}`}
              className="w-full max-w-60"
              max={1}
              value={state === "waiting" ? 0 : progress}
            />
            {state === "waiting"
              ? "Waiting"
              : progress < 1
                ? `${Math.round(progress * 100)} %`
                : "Checking..."}
          </p>
        )}
      </div>
      {!isUploading && (
        <IconButton
          label={`Do not upload ${file.name}`}
          className="col-start-3 row-start-1"
          onClick={onRemove}
        >
          <Icon glyph={X} size="small" />
        </IconButton>
      )}
    </div>
  );
}
