import type { Sender } from "../../domain/outbox/email.ts";
import { colors, sans } from "./theme.ts";

/** A product, square; `image` is a path on the shop's site. Where pictures are blocked its ground keeps the place. */
export function ProductPicture({
  sender,
  image,
  alt,
  size,
}: {
  sender: Sender;
  image: string | null;
  alt: string;
  /** Pixels of a side. */
  size: number;
}) {
  if (image === null) return null;
  return (
    <img
      src={new URL(image, sender.publicUrl).href}
      alt={alt}
      width={size}
      height={size}
      className="soft muted"
      style={{
        backgroundColor: colors.creamSoft,
        border: 0,
        borderRadius: 6,
        color: colors.inkMuted,
        display: "block",
        fontFamily: sans,
        fontSize: 14,
        height: "auto",
        maxWidth: "100%",
        objectFit: "cover",
      }}
    />
  );
}
