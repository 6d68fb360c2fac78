export const orderTagLengthMax = 40;
export const orderTagCountMax = 20;
