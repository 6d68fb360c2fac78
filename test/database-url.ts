/** The URL of another database on the same server. */
export function withDatabase(url: string, database: string): string {
  const changedUrl = new URL(url);
  changedUrl.pathname = `/${database}`;
  return changedUrl.href;
}
