import FlaskConicalOff from "lucide-react/icons/flask-conical-off";
import HandHeart from "lucide-react/icons/hand-heart";
import Leaf from "lucide-react/icons/leaf";
import { leftOut } from "../../../domain/settings/facts.ts";
import { Icon } from "../../ui/icon.tsx";

const points = [
  { glyph: Leaf, title: "100% Natural", text: "One ingredient: batana oil. Nothing added." },
  { glyph: HandHeart, title: "Ethically Sourced", text: "Traditional palm-fruit oil from Honduras." },
  {
    glyph: FlaskConicalOff,
    title: "Left out on purpose",
    text: `No ${leftOut}.`,
    // Small screens have the same words among the benefits below.
    className: "max-lg:hidden",
  },
];

export function TrustStrip() {
  return (
    <section aria-label="What we stand for" className="bg-cream">
      <ul className="wrap grid gap-6 py-7 md:grid-cols-2 md:gap-12 md:py-9 lg:grid-cols-[1fr_1fr_1.2fr]">
        {points.map(({ glyph, title, text, className = "" }) => (
          <li key={title} className={`grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-0.5 ${className}`}>
            <Icon glyph={glyph} size="large" className="row-span-2 text-copper-600" />
            <b className="font-display text-xl leading-tight font-normal tracking-[-.01em]">{title}</b>
            <span className="text-small leading-[1.45] text-ink-muted">{text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
