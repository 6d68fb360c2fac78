import {
  type ReviewFilter,
  type ReviewListing,
  type ReviewPage,
  type ReviewSort,
  reviewSorts,
} from "../../../../domain/reviews/review.ts";
import { hairKeys, hairTypes, skinKeys, skinTypes } from "../../../../domain/reviews/writer-traits.ts";
import { filterQuery } from "../reviews-path.ts";

// Only loaders import this: what a list is filtered by reaches the browser as finished links.

/** Which reviews a page shows and in what order, as it stands in the page's address. */
export type ShownFilter = ReviewFilter & Pick<ReviewListing, "sort">;

export type FilterLink = { text: string; count?: number; to: string; isCurrent: boolean };
export type FilterLinks = {
  /** To 5, 4, ... 1 stars; the current one leads back to all. */
  stars: { stars: number; to: string; isCurrent: boolean }[];
  groups: { label: string; links: FilterLink[] }[];
  sorts: FilterLink[];
  /** "12 reviews with 5 stars"; null where nothing is left out. */
  told: string | null;
  /** The list without a filter. */
  all: string;
  /** The list as it is; followed by a cursor it is the list's next page. */
  here: string;
  next: string;
};

const sortNames: Record<ReviewSort, string> = {
  newest: "Newest",
  helpful: "Most helpful",
  highest: "Highest",
  lowest: "Lowest",
};

/** Anything that is no filter is as good as none. */
export function readFilter(asked: URLSearchParams): ShownFilter {
  const given = <T extends string>(name: string, known: readonly T[]) =>
    known.find((one) => one === asked.get(name));
  const sort = given("sort", reviewSorts);
  const rating = given("rating", ["1", "2", "3", "4", "5"]);
  const hair = given("hair", hairKeys);
  const skin = given("skin", skinKeys);
  return {
    ...(sort && { sort }),
    ...(rating && { rating: Number(rating) }),
    ...(hair && { hair }),
    ...(skin && { skin }),
    ...(asked.get("photos") === "1" && { photos: true }),
  };
}

/**
 * The links of a list at `path`; `anchor` is where the list is on its page: `#reviews`. Without JavaScript its next page is
 * the page of all reviews.
 */
export function filterLinks(
  { path, anchor = "" }: { path: string; anchor?: string },
  filter: ShownFilter,
  { kinds, summary, total }: ReviewPage,
): FilterLinks {
  const to = (changes: { [K in keyof ShownFilter]?: ShownFilter[K] | undefined }) => {
    const { rating, hair, skin, photos, sort = "newest" } = { ...filter, ...changes };
    const query = filterQuery({
      sort,
      ...(rating && { rating }),
      ...(hair && { hair }),
      ...(skin && { skin }),
      ...(photos && { photos }),
    });
    return `${path}${query.size === 0 ? "" : `?${query}`}`;
  };
  const chosen = <K extends keyof ShownFilter>(field: K, value: NonNullable<ShownFilter[K]>) => {
    const isCurrent = filter[field] === value;
    return { to: to({ [field]: isCurrent ? undefined : value }) + anchor, isCurrent };
  };
  const here = to({});
  const groups = [
    {
      label: "Hair",
      links: kinds.hair.map(({ key, count }) => ({ text: hairTypes[key], count, ...chosen("hair", key) })),
    },
    {
      label: "Skin",
      links: kinds.skin.map(({ key, count }) => ({ text: skinTypes[key], count, ...chosen("skin", key) })),
    },
    {
      label: "Photos",
      links:
        kinds.photos > 0 ? [{ text: "With photos", count: kinds.photos, ...chosen("photos", true) }] : [],
    },
  ];
  return {
    stars: [5, 4, 3, 2, 1].map((stars) => ({ stars, ...chosen("rating", stars) })),
    groups: groups.filter(({ links }) => links.length > 0),
    // One review has no order.
    sorts:
      summary.count > 1
        ? reviewSorts.map((sort) => ({
            text: sortNames[sort],
            to: to({ sort }) + anchor,
            isCurrent: (filter.sort ?? "newest") === sort,
          }))
        : [],
    told: toldOf(filter, total),
    all: to({ rating: undefined, hair: undefined, skin: undefined, photos: undefined }) + anchor,
    here: here + anchor,
    next: `/reviews?${here.includes("?") ? `${here.split("?")[1]}&` : ""}cursor=`,
  };
}

/** "3 reviews with 5 stars, curly hair and photos" */
function toldOf({ rating, hair, skin, photos }: ReviewFilter, total: number): string | null {
  const parts = [
    ...(rating ? [`${rating} ${rating === 1 ? "star" : "stars"}`] : []),
    ...(hair ? [`${hair} hair`] : []),
    ...(skin ? [`${skin} skin`] : []),
    ...(photos ? ["photos"] : []),
  ];
  if (parts.length === 0) return null;
  const list = new Intl.ListFormat("en-US", { type: "conjunction" }).format(parts);
  return `${total} ${total === 1 ? "review" : "reviews"} with ${list}`;
}
