export const maxOrderTagLength = 40;
export const maxOrderTags = 20;
