export const orderTagMax = 40;
export const orderTagsMax = 20;
