/** Maximum length of a gift's note and of the name below it. */
export const maxGiftNoteLength = 300;
export const maxGiftFromLength = 100;
