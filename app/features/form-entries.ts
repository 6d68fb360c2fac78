/**
 * Reads a form sent without JavaScript: returns the text of a field by name, "" where the field or form is missing. `all`: the texts of
 * all fields of that name.
 */
export async function formEntries(request: Request) {
  const form = await request.formData().catch(() => new FormData());
  const all = (name: string) => form.getAll(name).filter((value) => typeof value === "string");
  return Object.assign((name: string) => all(name)[0] ?? "", { all });
}
