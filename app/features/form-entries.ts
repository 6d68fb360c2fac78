/** Reads a form sent without JavaScript: returns the text of a field by name, "" where the field or form is missing. */
export async function formEntries(request: Request): Promise<(name: string) => string> {
  const form = await request.formData().catch(() => new FormData());
  return (name) => {
    const value = form.get(name);
    return typeof value === "string" ? value : "";
  };
}
