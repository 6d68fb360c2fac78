type Sized = { name: string; size: string };

/** `{name: "Pure Batana Oil", size: "50 ml"}` -> "Pure Batana Oil, 50 ml". A database trigger writes the same name. */
export function sizedName({ name, size }: Sized): string {
  return `${name}, ${size}`;
}

/** The size to print beside the name; "" if the name ends with it. */
export function sizeBeside({ name, size }: Sized): string {
  return name.endsWith(`, ${size}`) ? "" : size;
}
