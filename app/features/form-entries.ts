/** Reads a form sent without JavaScript: the text of a field, empty where it is missing. What is no form has no fields. */
export async function formEntries(request: Request): Promise<(name: string) => string> {
  const form = await request.formData().catch(() => new FormData());
  return (name) => {
    const value = form.get(name);
    return typeof value === "string" ? value : "";
  };
}
