/** Two columns of the contact page, stacked below 1024 px. */
export const contactColumns =
  "grid gap-12 *:min-w-0 lg:grid-cols-[5fr_6fr] lg:items-start lg:gap-[clamp(3rem,7vw,7rem)]";
