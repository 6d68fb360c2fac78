import type { ProductImage } from "../../../domain/catalog/product.ts";
import { Picture } from "../../ui/picture.tsx";
import { shopPicture } from "./shop-picture.ts";

const fruit = shopPicture(
  "palm-fruit-close.jpg",
  "Ripe orange-red palm fruit on a wooden board, two of them cut open",
);
const box = shopPicture("bottle-and-box.jpg", "The bottle beside its dark green box, on a round stone");
const ingredients = shopPicture(
  "ingredients.jpg",
  "A dark bowl of amber oil, palm fruit cut in half and a wooden spoon on pale stone",
);
const label = shopPicture("product-label.jpg", "Close view of the paper label and gold collar");

/** A picture beside the text; `isWideOnly` hides it on narrow screens. */
function SidePicture({ image, isWideOnly = false }: { image: ProductImage; isWideOnly?: boolean }) {
  return (
    <div className={`aspect-square overflow-hidden bg-cream ${isWideOnly ? "max-lg:hidden" : ""}`}>
      <Picture
        image={image}
        sizes="(min-width: 64rem) 35rem, calc(100vw - 2.5rem)"
        className="size-full object-cover"
      />
    </div>
  );
}

export const FruitPicture = () => <SidePicture image={fruit} />;
export const BoxPicture = () => <SidePicture image={box} />;
export const IngredientsPicture = () => <SidePicture image={ingredients} />;
export const LabelPicture = () => <SidePicture image={label} isWideOnly />;
