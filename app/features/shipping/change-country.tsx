import { type ComponentType, useState } from "react";
import type { CountryNote } from "../../../domain/shipping/served-countries.ts";
import { useHydrated } from "../../ui/browser/browser-state.ts";
import { TextButton } from "../../ui/text-button.tsx";

type ListProps = { notes: readonly Pick<CountryNote, "countries">[] };

/**
 * Lets shoppers choose the country of delivery. Few do, so the list of countries is loaded on demand. The button takes up its
 * space from the start, but is invisible until its script is loaded, because earlier presses would be lost.
 */
export function ChangeCountry({ notes, className = "" }: ListProps & { className?: string }) {
  const [list, setList] = useState<{ List: ComponentType<ListProps> } | null>(null);
  const isHydrated = useHydrated();
  if (list) return <list.List notes={notes} />;
  return (
    <TextButton
      className={`noscript:hidden ${isHydrated ? "" : "invisible"} ${className}`}
      onClick={() =>
        void import("./country-list.tsx").then(
          ({ CountryList }) => setList({ List: CountryList }),
          // After a failure the button can be pressed again.
          () => {},
        )
      }
    >
      <span>
        Change<span className="sr-only"> country</span>
      </span>
    </TextButton>
  );
}
