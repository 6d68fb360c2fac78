/** Maximum length of a gift's note and of the name below it. */
export const giftNoteMax = 300;
export const giftFromMax = 100;
