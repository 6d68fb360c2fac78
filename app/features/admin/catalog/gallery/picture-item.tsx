import ArrowLeft from "lucide-react/icons/arrow-left";
import ArrowRight from "lucide-react/icons/arrow-right";
import ChevronsLeft from "lucide-react/icons/chevrons-left";
import GripVertical from "lucide-react/icons/grip-vertical";
import Trash from "lucide-react/icons/trash-2";
import { type AdminProductImage, productLimits } from "../../../../../domain/catalog/product-admin.ts";
import { Badge } from "../../../../ui/badge.tsx";
import { IconButton, Spinner } from "../../../../ui/button.tsx";
import { TextArea } from "../../../../ui/field.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { Picture } from "../../../../ui/picture.tsx";
import { PanelButton } from "../../kit/action-button.tsx";
import { handleSubmit } from "../../kit/form-dialog.tsx";
import { useAdminForm } from "../../kit/use-admin-action.ts";

/** One picture of the gallery with its position, description (alt text) and state. */
export function PictureItem({
  productId,
  image,
  index,
  count,
  preview,
  onMove,
  onDelete,
}: {
  productId: number;
  image: AdminProductImage;
  /** Position in the gallery, from 0. */
  index: number;
  count: number;
  /** URL of a small version made by this browser, shown until the server has processed the picture. */
  preview: string | undefined;
  onMove: (to: number) => void;
  onDelete: () => void;
}) {
  const { alt, status } = image;
  const label = `picture ${index + 1}, ${alt}`;
  return (
    <div className="flex w-full min-w-0 flex-col gap-2">
      <div className="relative">
        <Thumbnail image={image} preview={preview} />
        <p className="absolute bottom-1.5 left-1.5 flex flex-wrap gap-1">
          {index === 0 && <Badge tone="dark">Thumbnail</Badge>}
          {image.isDrawn && <Badge tone="cream">Drawn</Badge>}
          {status === "processing" && <Badge tone="yellow">Processing</Badge>}
          {status === "failed" && <Badge tone="red">Failed</Badge>}
        </p>
        {index > 0 && (
          <IconButton
            label={`Make it the first: ${label}`}
            title="Make it the first"
            className="absolute! top-0.5 left-0.5 bg-paper/90 hover:bg-paper"
            onClick={() => onMove(0)}
          >
            <Icon glyph={ChevronsLeft} size="small" />
          </IconButton>
        )}
        <IconButton
          label={`Delete ${label}`}
          className="absolute! top-0.5 right-0.5 bg-paper/90 text-danger hover:bg-paper"
          onClick={onDelete}
        >
          <Icon glyph={Trash} size="small" />
        </IconButton>
      </div>
      <div className="flex items-center justify-between">
        <IconButton
          label={`Move ${label} up`}
          className="disabled:text-disabled-ink"
          disabled={index === 0}
          onClick={() => onMove(index - 1)}
        >
          <Icon glyph={ArrowLeft} size="small" />
        </IconButton>
        <button
          type="button"
          aria-label={`Move ${label}: arrow keys, or drag`}
          aria-roledescription="movable picture"
          className="grid min-h-11 min-w-11 cursor-grab grid-flow-col place-items-center gap-1 rounded-full px-2 text-small text-ink-muted tabular-nums hover:bg-forest-800/8"
          onKeyDown={(event) => {
            const to = moveTargets[event.key]?.(index, count);
            if (to === undefined) return;
            event.preventDefault();
            onMove(to);
          }}
        >
          <Icon glyph={GripVertical} size="small" /> {index + 1}
        </button>
        <IconButton
          label={`Move ${label} down`}
          className="disabled:text-disabled-ink"
          disabled={index === count - 1}
          onClick={() => onMove(index + 1)}
        >
          <Icon glyph={ArrowRight} size="small" />
        </IconButton>
      </div>
      {image.problem && <p className="text-small font-medium text-danger">{image.problem}</p>}
      <AltForm key={alt} productId={productId} image={image} />
    </div>
  );
}

const moveTargets: Record<string, ((index: number, count: number) => number) | undefined> = {
  ArrowUp: (index) => index - 1,
  ArrowLeft: (index) => index - 1,
  ArrowDown: (index) => index + 1,
  ArrowRight: (index) => index + 1,
  Home: () => 0,
  End: (_, count) => count - 1,
};

function Thumbnail({ image, preview }: { image: AdminProductImage; preview: string | undefined }) {
  const box = "aspect-square w-full rounded-xs object-cover";
  if (image.status === "ready")
    return (
      <Picture
        image={image}
        alt=""
        sizes="(min-width: 80rem) 200px, (min-width: 40rem) 30vw, 45vw"
        className={box}
      />
    );
  return (
    <span className={`relative grid place-items-center overflow-hidden bg-cream text-copper-700 ${box}`}>
      {preview && (
        <img src={preview} alt="" width={240} height={240} className={`absolute inset-0 opacity-50 ${box}`} />
      )}
      {image.status === "processing" && <Spinner />}
    </span>
  );
}

function AltForm({ productId, image }: { productId: number; image: AdminProductImage }) {
  const form = useAdminForm(
    "PATCH /api/admin/products/:id/images/:imageId",
    { alt: image.alt },
    { success: { title: "Description of the picture saved" } },
  );
  const { alt } = form.values;
  const isDirty = alt.trim() !== image.alt;
  return (
    <form
      noValidate
      className="flex flex-wrap items-end gap-2"
      onSubmit={handleSubmit(
        () => isDirty && form.run({ params: { id: productId, imageId: image.id }, body: { alt } }),
      )}
    >
      <TextArea
        {...form.field("alt")}
        id={`alt-${image.id}`}
        rows={2}
        name={`alt-${image.id}`}
        label="What is in the picture"
        className="min-w-0 flex-1 basis-full [&_label]:text-caption [&_textarea]:min-h-19 [&_textarea]:px-2.5 [&_textarea]:py-1.5 [&_textarea]:text-small"
        required
        maxLength={productLimits.alt}
        error={form.fields.alt ?? form.problem?.message}
      />
      {isDirty && (
        <PanelButton type="submit" busy={form.busy} busyText="Saving...">
          Save
        </PanelButton>
      )}
    </form>
  );
}
