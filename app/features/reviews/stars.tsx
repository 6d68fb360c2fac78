const starPath = "M12 2.6l2.86 5.98 6.54.86-4.8 4.54 1.2 6.5L12 17.3l-5.8 3.18 1.2-6.5-4.8-4.54 6.54-.86z";

/** A rating of 0 to 5 as five stars to the nearest half, with one text: "4.8 out of 5 stars". */
export function Stars({ rating, className = "" }: { rating: number; className?: string }) {
  const halves = Math.round(rating * 2);
  return (
    <span
      role="img"
      aria-label={`${rating} out of 5 stars`}
      className={`inline-flex gap-px text-star ${className}`}
    >
      {[0, 2, 4, 6, 8].map((halvesBefore) => (
        <Star key={halvesBefore} filledHalves={Math.min(2, Math.max(0, halves - halvesBefore))} />
      ))}
    </span>
  );
}

/** For a half star, a full star is clipped and drawn over an empty star, because SVG gradients would need ids. */
function Star({ filledHalves }: { filledHalves: number }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className="size-[1.0625em]">
      {filledHalves < 2 && <path className="fill-star-empty" d={starPath} />}
      {filledHalves > 0 && (
        <path
          fill="currentColor"
          d={starPath}
          style={filledHalves === 1 ? { clipPath: "inset(0 50% 0 0)" } : undefined}
        />
      )}
    </svg>
  );
}
