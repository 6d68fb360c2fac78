import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import GripVertical from "lucide-react/icons/grip-vertical";
import Trash from "lucide-react/icons/trash-2";
import { type FormEvent, useState } from "react";
import { type AdminProductImage, productLimits } from "../../../../../domain/catalog/product-admin.ts";
import { Badge } from "../../../../ui/badge.tsx";
import { Button, IconButton, Spinner } from "../../../../ui/button.tsx";
import { Field } from "../../../../ui/field.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { Picture } from "../../../../ui/picture.tsx";
import { useAdminAction } from "../../kit/use-admin-action.ts";

/** One picture of the gallery: its place, its words, its state. */
export function PictureItem({
  productId,
  image,
  place,
  count,
  copy,
  onMove,
  onDelete,
}: {
  productId: number;
  image: AdminProductImage;
  /** From 0. */
  place: number;
  count: number;
  /** A small copy from this browser, while the sizes are being made. */
  copy: string | undefined;
  onMove: (to: number) => void;
  onDelete: () => void;
}) {
  const { alt, status } = image;
  const called = `picture ${place + 1}, ${alt}`;
  return (
    <div className="grid grid-cols-[auto_5.5rem_minmax(0,1fr)] grid-rows-[auto_1fr] items-start gap-x-3 gap-y-2 max-sm:-ml-2 max-sm:gap-x-2 max-[22rem]:ml-0 max-[22rem]:grid-cols-[5.5rem_minmax(0,1fr)]">
      <button
        type="button"
        aria-label={`Move ${called}: arrow keys, or drag`}
        aria-roledescription="movable picture"
        className="-ml-2 grid size-11 cursor-grab max-[22rem]:hidden place-items-center rounded-full sm:row-span-2 text-ink-muted hover:bg-forest-800/8"
        onKeyDown={(event) => {
          const to = targets[event.key]?.(place, count);
          if (to === undefined) return;
          event.preventDefault();
          onMove(to);
        }}
      >
        <Icon glyph={GripVertical} size="small" />
      </button>
      <div className="sm:row-span-2">
        <Thumbnail image={image} copy={copy} />
      </div>
      <div className="-mt-2 flex flex-wrap items-center justify-between gap-x-2 max-sm:mt-0">
        <p className="flex flex-wrap items-center gap-2 text-small">
          {place === 0 ? (
            <Badge tone="dark">Thumbnail</Badge>
          ) : (
            <span className="text-ink-muted">Place {place + 1}</span>
          )}
          {image.isDrawn && <Badge tone="cream">Drawn</Badge>}
          {status === "processing" && <Badge tone="yellow">Making its sizes</Badge>}
          {status === "failed" && <Badge tone="red">Failed</Badge>}
        </p>
        <p className="-mr-2 flex shrink-0 items-center">
          <IconButton
            label={`Move ${called} up`}
            className="disabled:text-disabled-ink"
            disabled={place === 0}
            onClick={() => onMove(place - 1)}
          >
            <Icon glyph={ArrowUp} size="small" />
          </IconButton>
          <IconButton
            label={`Move ${called} down`}
            className="disabled:text-disabled-ink"
            disabled={place === count - 1}
            onClick={() => onMove(place + 1)}
          >
            <Icon glyph={ArrowDown} size="small" />
          </IconButton>
          <IconButton label={`Delete ${called}`} className="text-danger" onClick={onDelete}>
            <Icon glyph={Trash} size="small" />
          </IconButton>
        </p>
      </div>
      <div className="grid gap-2 max-sm:col-span-full max-sm:pl-2 max-[22rem]:pl-0">
        {image.problem && <p className="text-small font-medium text-danger">{image.problem}</p>}
        <AltForm key={alt} productId={productId} image={image} />
      </div>
    </div>
  );
}

const targets: Record<string, ((place: number, count: number) => number) | undefined> = {
  ArrowUp: (place) => place - 1,
  ArrowLeft: (place) => place - 1,
  ArrowDown: (place) => place + 1,
  ArrowRight: (place) => place + 1,
  Home: () => 0,
  End: (_, count) => count - 1,
};

function Thumbnail({ image, copy }: { image: AdminProductImage; copy: string | undefined }) {
  const box = "h-27.5 w-22 rounded-xs object-cover";
  if (image.status === "ready") return <Picture image={image} alt="" sizes="88px" className={box} />;
  return (
    <span className={`relative grid place-items-center overflow-hidden bg-cream text-copper-700 ${box}`}>
      {copy && (
        <img src={copy} alt="" width={88} height={110} className={`absolute inset-0 opacity-50 ${box}`} />
      )}
      {image.status === "processing" && <Spinner />}
    </span>
  );
}

function AltForm({ productId, image }: { productId: number; image: AdminProductImage }) {
  const [alt, setAlt] = useState(image.alt);
  const action = useAdminAction("PATCH /api/admin/products/:id/images/:imageId", {
    success: { title: "Description of the picture saved" },
    failure: null,
  });
  const isDirty = alt.trim() !== image.alt;
  return (
    <form
      noValidate
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (isDirty) {
          void action.run({ params: { id: productId, imageId: image.id }, body: { alt } });
        }
      }}
    >
      <Field
        id={`alt-${image.id}`}
        name={`alt-${image.id}`}
        label="What is in the picture"
        className="min-w-48 flex-1"
        required
        maxLength={productLimits.alt}
        value={alt}
        error={action.fields.alt ?? action.problem?.message}
        onChange={(event) => setAlt(event.target.value)}
      />
      {isDirty && (
        <Button type="submit" size="small" variant="secondary" busy={action.busy} busyText="Saving...">
          Save
        </Button>
      )}
    </form>
  );
}
