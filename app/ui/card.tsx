import type { ComponentProps } from "react";

/** A white box with a thin border. */
export function Card({ className = "", ...rest }: ComponentProps<"div">) {
  return <div className={`rounded-md border border-line bg-surface ${className}`} {...rest} />;
}

/** A tinted area that groups related content, such as the order summary. */
export function Panel({ className = "", ...rest }: ComponentProps<"div">) {
  return (
    <div className={`rounded-md bg-cream-soft p-[clamp(1.25rem,1rem+1.5vw,2rem)] ${className}`} {...rest} />
  );
}
