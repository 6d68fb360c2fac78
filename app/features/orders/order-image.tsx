import Package from "lucide-react/icons/package";
import { useState } from "react";
import { Icon } from "../../ui/icon.tsx";

/** The picture of an ordered item beside its name; an icon if the file no longer exists. */
export function OrderImage({ url }: { url: string | null }) {
  const [hasFailed, setFailed] = useState(false);
  return url && !hasFailed ? (
    <img
      src={url}
      alt=""
      width={60}
      height={72}
      loading="lazy"
      decoding="async"
      className="h-18 w-15 rounded-xs bg-cream object-cover"
      onError={() => setFailed(true)}
    />
  ) : (
    <span className="grid h-18 w-15 place-items-center rounded-xs bg-cream text-copper-700">
      <Icon glyph={Package} />
    </span>
  );
}
