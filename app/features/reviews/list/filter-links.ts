import {
  type Review,
  type ReviewFilter,
  type ReviewListing,
  type ReviewPage,
  type ReviewSort,
  reviewSorts,
} from "../../../../domain/reviews/review.ts";
import { hairKeys, hairTypes, skinKeys, skinTypes } from "../../../../domain/reviews/writer-traits.ts";
import { filterQuery } from "../reviews-path.ts";

// Imported by loaders only: the browser gets finished links.

/** Filter and sort order of a list of reviews, from the page's URL. */
type ListFilter = ReviewFilter & Pick<ReviewListing, "sort">;

export type FilterLink = { text: string; count?: number; to: string; isCurrent: boolean };
export type FilterLinks = {
  /** Links that filter by 5, 4, ... 1 stars; the current link removes the filter. */
  stars: { stars: number; to: string; isCurrent: boolean }[];
  groups: { label: string; links: FilterLink[] }[];
  sorts: FilterLink[];
  /** "12 reviews with 5 stars"; null without a filter. */
  resultText: string | null;
  /** Path of the list without a filter. */
  unfilteredPath: string;
  /** Path of the current list. Appending a cursor to `nextPagePrefix` gives the path of its next page. */
  currentPath: string;
  nextPagePrefix: string;
};

/** The sort order if the URL has none. */
export const defaultSort: ReviewSort = "helpful";

const sortNames: Record<ReviewSort, string> = {
  helpful: "Most helpful",
  newest: "Newest",
  highest: "Highest",
  lowest: "Lowest",
};

/** Reads the filter from the URL's parameters; ignores unknown parameters and values. */
export function readFilter(search: URLSearchParams): ListFilter {
  const readOption = <T extends string>(name: string, options: readonly T[]) =>
    options.find((option) => option === search.get(name));
  const sort = readOption("sort", reviewSorts);
  const rating = readOption("rating", ["1", "2", "3", "4", "5"]);
  const hair = readOption("hair", hairKeys);
  const skin = readOption("skin", skinKeys);
  return {
    ...(sort && { sort }),
    ...(rating && { rating: Number(rating) }),
    ...(hair && { hair }),
    ...(skin && { skin }),
    ...(search.get("photos") === "1" && { photos: true }),
  };
}

/**
 * The links of a list at `path`; `anchor` is the list's place on the page, such as `#reviews`. Without JavaScript, the
 * next page of any list opens on the page of all reviews.
 */
export function filterLinks(
  { path, anchor = "" }: { path: string; anchor?: string },
  filter: ListFilter,
  { kinds, summary, total }: ReviewPage,
): FilterLinks {
  const to = (changes: { [K in keyof ListFilter]?: ListFilter[K] | undefined }) => {
    const { rating, hair, skin, photos, sort = defaultSort } = { ...filter, ...changes };
    const query = filterQuery({
      ...(sort !== defaultSort && { sort }),
      ...(rating && { rating }),
      ...(hair && { hair }),
      ...(skin && { skin }),
      ...(photos && { photos }),
    });
    return `${path}${query.size === 0 ? "" : `?${query}`}`;
  };
  const toggle = <K extends keyof ListFilter>(field: K, value: NonNullable<ListFilter[K]>) => {
    const isCurrent = filter[field] === value;
    return { to: to({ [field]: isCurrent ? undefined : value }) + anchor, isCurrent };
  };
  const currentPath = to({});
  const groups = [
    {
      label: "Hair",
      links: kinds.hair.map(({ key, count }) => ({ text: hairTypes[key], count, ...toggle("hair", key) })),
    },
    {
      label: "Skin",
      links: kinds.skin.map(({ key, count }) => ({ text: skinTypes[key], count, ...toggle("skin", key) })),
    },
    {
      label: "Photos",
      links:
        kinds.photos > 0 ? [{ text: "With photos", count: kinds.photos, ...toggle("photos", true) }] : [],
    },
  ];
  return {
    stars: [5, 4, 3, 2, 1].map((stars) => ({ stars, ...toggle("rating", stars) })),
    groups: groups.filter(({ links }) => links.length > 0),
    // A single review needs no sort order.
    sorts:
      summary.count > 1
        ? (Object.keys(sortNames) as ReviewSort[]).map((sort) => ({
            text: sortNames[sort],
            to: to({ sort }) + anchor,
            isCurrent: (filter.sort ?? defaultSort) === sort,
          }))
        : [],
    resultText: filteredResultText(filter, total),
    unfilteredPath: to({ rating: undefined, hair: undefined, skin: undefined, photos: undefined }) + anchor,
    currentPath: currentPath + anchor,
    nextPagePrefix: `/reviews?${currentPath.includes("?") ? `${currentPath.split("?")[1]}&` : ""}cursor=`,
  };
}

/** Loads the reviews for the strip of photos above a list (`page`), the newest first. */
export async function loadPhotoReviews(
  shop: { reviews(listing: ReviewListing): Promise<ReviewPage> },
  { kinds }: ReviewPage,
  product: Pick<ReviewListing, "productId"> = {},
): Promise<Review[]> {
  if (kinds.photos === 0) return [];
  return (await shop.reviews({ ...product, photos: true, sort: "newest", limit: 12 })).data;
}

/** "3 reviews with 5 stars, curly hair and photos" */
function filteredResultText({ rating, hair, skin, photos }: ReviewFilter, total: number): string | null {
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
