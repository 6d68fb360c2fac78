/**
 * Layout of the hero and of its skeleton, so that the page does not shift when the hero replaces it. The picture
 * extends to the right edge.
 */
export const heroGrid = {
  section:
    "hero lg:grid lg:min-h-[min(46rem,calc(100svh-var(--header-h)))] lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]",
  copy: "px-(--gutter) pt-6 pb-10 lg:self-center lg:py-12 lg:pr-[clamp(2rem,4vw,4.5rem)] lg:pl-[max(var(--gutter),calc((100vw-var(--container-page))/2))]",
  actions: "mt-4 grid gap-2.5 md:max-w-120 md:grid-cols-2 lg:mt-5 lg:max-w-108",
};

export const heroMedia =
  "relative block h-[clamp(260px,40svh,350px)] overflow-hidden bg-[#d9bd8c] md:h-135 lg:order-2 lg:col-start-2 lg:h-auto";
