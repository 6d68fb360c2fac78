/** Maximum lengths of a gift’s note and of the name below it. */
export const maxGiftNoteLength = 300;
export const maxGiftFromLength = 100;
export const maxOrderTagLength = 40;
export const maxOrderTags = 20;
