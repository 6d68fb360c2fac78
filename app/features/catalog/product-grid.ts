/** The gallery on the left, the buy box on the right. Shared by the page and its skeleton, so that nothing moves. */
export const productGrid =
  "grid md:grid-cols-2 md:items-start md:gap-9 md:px-(--gutter) md:pt-6 lg:mx-auto lg:max-w-[calc(var(--container-page)+2*var(--gutter))] lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)] lg:gap-[clamp(2.5rem,5vw,5rem)] lg:pt-8";
