import Camera from "lucide-react/icons/camera";
import CircleAlert from "lucide-react/icons/circle-alert";
import X from "lucide-react/icons/x";
import { useRef, useState } from "react";
import { uploadLimits } from "../../../../domain/catalog/upload-limits.ts";
import type { SentPhoto } from "../../../../domain/reviews/review.ts";
import { maxReviewPhotos } from "../../../../domain/reviews/review-form.ts";
import { randomUuid } from "../../../ui/browser/random-uuid.ts";
import { buttonClass, IconButton } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { callApi, noResponse, readApiResult } from "../../api.ts";

/** Adds and removes photos of a review; each shows its progress or problem. */
export function PhotoField({ form }: { form: ReturnType<typeof usePhotos> }) {
  const { photos, add, remove } = form;
  const [surplusCount, setSurplusCount] = useState(0);
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="mb-1.5 text-small leading-[1.4] font-medium">
        Photos <span className="font-normal text-ink-muted">(optional)</span>
      </legend>
      {photos.length > 0 && (
        <ul className="mb-1 grid gap-3">
          {photos.map((photo, index) => (
            <PhotoItem
              key={photo.key}
              photo={photo}
              number={index + 1}
              onRemove={() => {
                remove(photo.key);
                setSurplusCount(0);
              }}
            />
          ))}
        </ul>
      )}
      {photos.length < maxReviewPhotos && (
        <label
          className={`${buttonClass({ variant: "secondary", size: "small" })} justify-self-start focus-within:outline-2 focus-within:outline-offset-2`}
        >
          <Icon glyph={Camera} size="small" /> Add photos
          <input
            type="file"
            multiple
            accept={uploadLimits.types.join()}
            aria-describedby="review-photos-hint"
            className="sr-only"
            onChange={(event) => {
              setSurplusCount(add([...(event.target.files ?? [])]));
              // Allows choosing the same file again.
              event.target.value = "";
            }}
          />
        </label>
      )}
      <p role="status" className="text-small text-warning empty:hidden">
        {surplusCount > 0 &&
          `Only ${maxReviewPhotos} photos fit. ${surplusCount} more ${surplusCount === 1 ? "was" : "were"} left out.`}
      </p>
      <p id="review-photos-hint" className="text-caption text-ink-muted">
        Up to {maxReviewPhotos}. We check each one before it’s shown, and remove where it was taken.
      </p>
    </fieldset>
  );
}

function PhotoItem({
  photo: { name, url, progress, id, problem },
  number,
  onRemove,
}: {
  photo: FormPhoto;
  number: number;
  onRemove: () => void;
}) {
  return (
    <li className="grid grid-cols-[4rem_1fr_auto] items-center gap-3">
      <span className="block size-16 overflow-hidden rounded-sm bg-cream">
        {url && <img src={url} alt="" className="size-full object-cover" />}
      </span>
      <span className="min-w-0 text-small" role="status">
        <span className="block truncate">{name}</span>
        {problem ? (
          <span className="flex gap-1.5 text-caption font-medium text-danger">
            <Icon glyph={CircleAlert} size="small" className="mt-px" />
            {problem}
          </span>
        ) : id ? (
          <span className="text-caption text-ink-muted">Added</span>
        ) : (
          <span className="mt-1 flex items-center gap-3 text-caption text-ink-muted tabular-nums">
            <progress
              value={progress}
              aria-label={`Photo ${number} is being sent`}
              className="min-w-0 grow"
            />
            {/* Hidden, because the status would read out every step. */}
            <span aria-hidden="true">{progress < 1 ? `${Math.round(progress * 100)}%` : "Checking..."}</span>
          </span>
        )}
      </span>
      <IconButton label={`Remove photo ${number}`} className="-mr-3" onClick={onRemove}>
        <Icon glyph={X} />
      </IconButton>
    </li>
  );
}

/** A photo in the form: uploaded (`id`), refused (`problem`) or being uploaded. `progress`: from 0 to 1. */
type FormPhoto = {
  key: string;
  name: string;
  url: string | null;
  progress: number;
  id: string | null;
  /** Whether the photo belongs to the existing review; it is deleted when the review is sent without it. */
  isInReview: boolean;
  problem: string | null;
};

/** Long enough for slow connections. */
const uploadTimeoutMs = 5 * 60_000;
/** Length (px) of a photo's longer side after scaling: the photos of phone cameras are larger than pages can show. */
const maxSide = 2000;

/** The photos of a review being written. `onChange` receives the ids of uploaded photos whenever they change. */
export function usePhotos(initialIds: readonly string[], onChange: (ids: string[]) => void) {
  const [photos, setPhotos] = useState<FormPhoto[]>(() => initialIds.map((id) => uploadedPhoto(id, false)));
  const latestPhotos = useRef(photos);
  const uploads = useRef(new Map<string, { done: Promise<void>; abort(): void }>());

  const update = (next: FormPhoto[]) => {
    latestPhotos.current = next;
    setPhotos(next);
  };
  const patchPhoto = (key: string, changes: Partial<FormPhoto>) =>
    update(latestPhotos.current.map((photo) => (photo.key === key ? { ...photo, ...changes } : photo)));
  const ids = () => latestPhotos.current.flatMap(({ id }) => id ?? []);

  const upload = async (key: string, file: File, signal: AbortSignal) => {
    const problem = photoProblem(file);
    if (problem) return patchPhoto(key, { problem });
    const copy = await shrink(file);
    if (signal.aborted) return;
    if (copy.file.size > uploadLimits.bytes) return patchPhoto(key, { problem: tooLargeMessage });
    patchPhoto(key, { url: copy.preview });
    const response = await send(copy.file, signal, (progress) => patchPhoto(key, { progress }));
    if (signal.aborted) {
      if (response.ok) discard(response.body.data.id);
    } else if (response.ok) {
      patchPhoto(key, { id: response.body.data.id });
      onChange(ids());
    } else patchPhoto(key, { problem: response.problem.fields.photo ?? response.problem.message });
  };

  return {
    photos,
    /** Shows the photos of the existing review, before those added while it was requested. */
    show(sentPhotos: readonly SentPhoto[]) {
      const addedPhotos = latestPhotos.current;
      update([...sentPhotos.map(({ id }) => uploadedPhoto(id, true)), ...addedPhotos]);
      if (addedPhotos.length > 0) onChange(ids());
    },
    /** Adds as many files as fit, and returns how many do not. */
    add(files: readonly File[]): number {
      const slotsLeft = maxReviewPhotos - latestPhotos.current.length;
      for (const file of files.slice(0, slotsLeft)) {
        const key = randomUuid();
        const controller = new AbortController();
        const photo = {
          key,
          name: file.name,
          url: null,
          progress: 0,
          id: null,
          isInReview: false,
          problem: null,
        };
        update([...latestPhotos.current, photo]);
        const done = upload(key, file, controller.signal).finally(() => uploads.current.delete(key));
        uploads.current.set(key, { done, abort: () => controller.abort() });
      }
      return Math.max(0, files.length - slotsLeft);
    },
    remove(key: string) {
      uploads.current.get(key)?.abort();
      const removedPhoto = latestPhotos.current.find((photo) => photo.key === key);
      update(latestPhotos.current.filter((photo) => photo.key !== key));
      onChange(ids());
      if (removedPhoto?.id && !removedPhoto.isInReview) discard(removedPhoto.id);
    },
    /** Waits for running uploads; returns the ids of all uploaded photos. */
    async waitForUploads(): Promise<string[]> {
      await Promise.all([...uploads.current.values()].map(({ done }) => done));
      return ids();
    },
  };
}

function uploadedPhoto(id: string, isInReview: boolean): FormPhoto {
  return {
    key: id,
    name: "Photo",
    url: `/api/reviews/photos/${id}`,
    progress: 1,
    id,
    isInReview,
    problem: null,
  };
}

function discard(id: string): void {
  void callApi("DELETE /api/reviews/photos/:id", { params: { id } });
}

const tooLargeMessage = `This picture is larger than ${uploadLimits.bytes / 1024 / 1024} MB.`;

function photoProblem({ type, size }: File): string | null {
  if (size === 0) return "This file is empty.";
  if (uploadLimits.types.some((allowedType) => allowedType === type)) return null;
  return "This is not a JPEG, PNG, WebP or AVIF picture.";
}

/**
 * Scales the picture down for a quick upload, and makes a preview. Returns the original file without a preview if that
 * fails.
 */
async function shrink(file: File): Promise<{ file: Blob; preview: string | null }> {
  try {
    const picture = await createImageBitmap(file);
    const draw = (side: number) => {
      const scale = Math.min(1, side / Math.max(picture.width, picture.height));
      const canvas = document.createElement("canvas");
      canvas.width = Math.max(1, Math.round(picture.width * scale));
      canvas.height = Math.max(1, Math.round(picture.height * scale));
      canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
      return canvas;
    };
    const preview = draw(240).toDataURL("image/jpeg", 0.7);
    const copy = await new Promise<Blob | null>((resolve) =>
      draw(maxSide).toBlob(resolve, "image/jpeg", 0.85),
    );
    picture.close();
    return { file: copy && copy.size < file.size ? copy : file, preview };
  } catch {
    return { file, preview: null };
  }
}

/** Uses XMLHttpRequest, because `fetch` does not report the progress of an upload. */
function send(file: Blob, signal: AbortSignal, onProgress: (progress: number) => void) {
  type Result = Awaited<ReturnType<typeof readPhoto>>;
  const form = new FormData();
  form.set("photo", file, "photo");
  return new Promise<Result>((resolve) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/api/reviews/photos");
    request.timeout = uploadTimeoutMs;
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    const fail = () => resolve({ ok: false, problem: noResponse });
    request.onerror = fail;
    request.ontimeout = fail;
    request.onabort = fail;
    signal.addEventListener("abort", () => request.abort());
    request.onload = () => readPhoto(request).then(resolve, fail);
    request.send(form);
  });
}

function readPhoto({ responseText, status }: XMLHttpRequest) {
  return readApiResult("POST /api/reviews/photos", new Response(responseText, { status }));
}
