/** Score beside reviews from 1024 px on, as on the home and product pages. */
export const scoreBesideList = "grid gap-8 lg:grid-cols-[4fr_7fr] lg:gap-[clamp(3rem,7vw,7rem)]";
export const scoreColumn = "grid justify-items-start gap-5 lg:sticky lg:top-28 lg:self-start";
