import FlaskConical from "lucide-react/icons/flask-conical";
import { formatCardNumber, testCards } from "../../../../domain/payments/card-entry.ts";
import { Banner } from "../../../ui/error-banner.tsx";

/** The sandbox's cards to choose from; `onChoose` gets a number to fill in. */
export function TestCards({ onChoose, disabled }: { onChoose: (number: string) => void; disabled: boolean }) {
  return (
    <Banner tone="info" glyph={FlaskConical} title="Sandbox mode." className="mb-4">
      No real card is charged. Choose a test card:
      <ul className="mt-2 grid grid-cols-[repeat(auto-fit,minmax(min(8rem,100%),1fr))] gap-2 sm:grid-cols-2">
        {testCards.map(({ number, outcome }) => (
          <li key={number}>
            <button
              type="button"
              disabled={disabled}
              className="min-h-11 w-full rounded-sm border border-info-line bg-surface px-3 py-1.5 text-left text-small hover:border-info"
              onClick={() => onChoose(number)}
            >
              <span className="block font-medium">{outcome}</span>
              <CardNumber number={formatCardNumber(number)} />
            </button>
          </li>
        ))}
      </ul>
    </Banner>
  );
}

/** On phones only its last digits are in sight. */
function CardNumber({ number }: { number: string }) {
  return (
    <span className="tabular-nums">
      <span aria-hidden="true" className="sm:hidden">
        …{" "}
      </span>
      <span className="sr-only sm:not-sr-only">{number.slice(0, -4)}</span>
      {number.slice(-4)}
    </span>
  );
}
