import Camera from "lucide-react/icons/camera";
import CircleAlert from "lucide-react/icons/circle-alert";
import X from "lucide-react/icons/x";
import { useState } from "react";
import { uploadLimits } from "../../../../domain/catalog/upload-limits.ts";
import { reviewPhotosMax } from "../../../../domain/reviews/review-form.ts";
import { buttonClass, IconButton } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import type { FormPhoto, usePhotos } from "./use-photos.ts";

/** Adds and removes photos of a review; each shows its progress or problem. */
export function PhotoField({ form }: { form: ReturnType<typeof usePhotos> }) {
  const { photos, add, remove } = form;
  const [leftOut, setLeftOut] = useState(0);
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="mb-1.5 text-small leading-[1.4] font-medium">
        Photos <span className="font-normal text-ink-muted">(optional)</span>
      </legend>
      {photos.length > 0 && (
        <ul className="grid gap-3">
          {photos.map((photo, index) => (
            <PhotoItem
              key={photo.key}
              photo={photo}
              number={index + 1}
              onRemove={() => {
                remove(photo.key);
                setLeftOut(0);
              }}
            />
          ))}
        </ul>
      )}
      {photos.length < reviewPhotosMax && (
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
              setLeftOut(add([...(event.target.files ?? [])]));
              // The same file can be chosen again.
              event.target.value = "";
            }}
          />
        </label>
      )}
      <p role="status" className="text-small text-warning empty:hidden">
        {leftOut > 0 &&
          `Only ${reviewPhotosMax} photos fit. ${leftOut} more ${leftOut === 1 ? "was" : "were"} left out.`}
      </p>
      <p id="review-photos-hint" className="text-caption text-ink-muted">
        Up to {reviewPhotosMax}. We check each one before it’s shown, and remove where it was taken.
      </p>
    </fieldset>
  );
}

function PhotoItem({
  photo: { name, url, part, id, problem },
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
          <progress
            value={part}
            aria-label={`Photo ${number} is being sent`}
            className="block h-1.5 w-full"
          />
        )}
      </span>
      <IconButton label={`Remove photo ${number}`} onClick={onRemove}>
        <Icon glyph={X} />
      </IconButton>
    </li>
  );
}
