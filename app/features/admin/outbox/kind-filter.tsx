import { useNavigate, useSearchParams } from "react-router";
import { type MessageKind, messageKindLabels, messageKinds } from "../../../../domain/outbox/outbox.ts";
import { SelectBox } from "../../../ui/select.tsx";
import { withParam } from "../kit/address.ts";

const isToOwner = (kind: MessageKind) => kind.startsWith("owner_") || kind.startsWith("test_");
const groups = [
  { label: "To customers", kinds: messageKinds.filter((kind) => !isToOwner(kind)) },
  { label: "To you", kinds: messageKinds.filter(isToOwner) },
];

/** One kind of e-mail or text alone, by a parameter of the address: there are too many for a row of links. */
export function KindFilter() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const kind = search.get("kind");
  return (
    <SelectBox
      aria-label="Filter by kind"
      value={messageKinds.some((one) => one === kind) ? (kind ?? "") : ""}
      className="min-h-11! w-auto! max-w-full py-2! text-small!"
      onChange={(event) =>
        void navigate(withParam(search, "kind", event.target.value), {
          preventScrollReset: true,
          state: { keepsFocus: true },
        })
      }
    >
      <option value="">Every kind</option>
      {groups.map(({ label, kinds }) => (
        <optgroup key={label} label={label}>
          {kinds.map((one) => (
            <option key={one} value={one}>
              {messageKindLabels[one]}
            </option>
          ))}
        </optgroup>
      ))}
    </SelectBox>
  );
}
