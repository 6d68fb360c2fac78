/** First match wins: most browsers' User-Agent also names others. */
const browsers: [RegExp, string][] = [
  [/\bEdgA?\/|\bEdgiOS\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bVersion\/.*\bSafari\//, "Safari"],
];
const systems: [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "Mac"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b|\bX11\b/, "Linux"],
];

/**
 * Name of a browser and its system, from the `User-Agent`: "Firefox on Windows"; null if both are unknown. Without versions,
 * because the name is stored.
 */
export function browserName(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const find = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = find(browsers);
  const system = find(systems);
  if (!browser && !system) return null;
  return `${browser ?? "A browser"}${system ? ` on ${/^iP/.test(system) ? `an ${system}` : system}` : ""}`;
}
