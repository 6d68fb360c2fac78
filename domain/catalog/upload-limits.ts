/** Limits of uploaded pictures. Sides in pixels. */
export const uploadLimits = {
  bytes: 10 * 1024 * 1024,
  /** Narrower pictures would be enlarged and look blurred. */
  minWidth: 480,
  maxSide: 8000,
  types: ["image/jpeg", "image/png", "image/webp", "image/avif"],
} as const;
