/** What an uploaded picture must be. Sides in pixels. */
export const uploadLimits = {
  bytes: 10 * 1024 * 1024,
  /** What is narrower is enlarged, and looks soft. */
  widthMin: 480,
  sideMax: 8000,
  types: ["image/jpeg", "image/png", "image/webp", "image/avif"],
} as const;
