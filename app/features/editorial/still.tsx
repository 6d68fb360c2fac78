import { Picture } from "../../ui/picture.tsx";
import { shopPicture } from "../../ui/shop-picture.ts";

const picture = shopPicture(
  "bottle-palm-fruit.jpg",
  "Bottle of Palmira Pure Batana Oil on a wooden board with orange-red palm fruit and green palm fronds",
);

/** A picture beside the words, where there is room for one. */
export function Still() {
  return (
    <div className="aspect-square overflow-hidden bg-cream max-lg:hidden">
      <Picture image={picture} sizes="33rem" className="size-full object-cover" />
    </div>
  );
}
