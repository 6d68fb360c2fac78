/** `[3, 5]` -> "3-5 business days". */
export function businessDays([min, max]: readonly [number, number]): string {
  return min === max ? `${min} business ${min === 1 ? "day" : "days"}` : `${min}-${max} business days`;
}
