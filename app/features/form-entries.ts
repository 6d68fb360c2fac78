/**
 * Reads a form sent without JavaScript. The result returns the text of the field with a name, "" if the field or the
 * form is missing; its method `all` returns the texts of all fields with that name.
 */
export async function formEntries(request: Request) {
  const form = await request.formData().catch(() => new FormData());
  const all = (name: string) => form.getAll(name).filter((value) => typeof value === "string");
  return Object.assign((name: string) => all(name)[0] ?? "", { all });
}
