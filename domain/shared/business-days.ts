/** `[3, 5]` -> "3-5 business days". */
export function businessDays([least, most]: readonly [number, number]): string {
  return least === most
    ? `${least} business ${least === 1 ? "day" : "days"}`
    : `${least}-${most} business days`;
}
