import type { Sender } from "../../domain/outbox/email.ts";
import { colors, sans } from "./theme.ts";

/** The background is seen if the mail program blocks pictures. */
export const pictureStyle = {
  backgroundColor: colors.creamSoft,
  border: 0,
  borderRadius: 6,
  color: colors.inkMuted,
  display: "block",
  fontFamily: sans,
  fontSize: 14,
  height: "auto",
  maxWidth: "100%",
} as const;

const squareStyle = { ...pictureStyle, objectFit: "cover" } as const;

/** A square picture; `image` is a path of the shop's site. */
export function ProductPicture({
  sender,
  image,
  alt,
  size,
}: {
  sender: Sender;
  image: string | null;
  alt: string;
  /** Side in pixels. */
  size: number;
}) {
  if (image === null) return null;
  return (
    <img
      src={new URL(image, sender.publicUrl).href}
      alt={alt}
      width={size}
      height={size}
      className={size > 200 ? "soft muted wide" : "soft muted"}
      style={squareStyle}
    />
  );
}
