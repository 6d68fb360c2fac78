/** Characters that a gift's note and the name below it may have. */
export const giftNoteMax = 300;
export const giftFromMax = 100;
