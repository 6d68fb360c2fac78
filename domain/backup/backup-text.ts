/** 15,879,000 -> "15.1 MiB" */
export function sizeText(bytes: number): string {
  const [unit, size] =
    bytes < 1024 ** 2
      ? (["KiB", 1024] as const)
      : bytes < 1024 ** 3
        ? (["MiB", 1024 ** 2] as const)
        : (["GiB", 1024 ** 3] as const);
  return `${(bytes / size).toFixed(1)} ${unit}`;
}

/** `2026-11-22T10:00:00.000Z` -> "2026-11-22 10:00 UTC" */
export const utcText = (iso: string) => `${iso.slice(0, 16).replace("T", " ")} UTC`;
