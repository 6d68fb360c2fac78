import { type ComponentType, useState } from "react";
import type { CountryNote } from "../../../domain/shipping/served-countries.ts";
import { TextButton } from "../../ui/text-button.tsx";

type ListProps = { notes: readonly Pick<CountryNote, "countries">[] };

/** Lets shoppers say where their parcel goes. Few do: the list of countries comes when it is asked for. */
export function ChangeCountry({ notes, className = "" }: ListProps & { className?: string }) {
  const [list, setList] = useState<{ List: ComponentType<ListProps> } | null>(null);
  if (list) return <list.List notes={notes} />;
  return (
    <TextButton
      className={`noscript:hidden ${className}`}
      onClick={() =>
        void import("./country-list.tsx").then(
          ({ CountryList }) => setList({ List: CountryList }),
          // Without a connection it can be pressed again.
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
