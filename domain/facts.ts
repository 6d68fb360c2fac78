/**
 * What the shop says about itself and its oil that is no setting: one record, from which pages, answers, e-mails and
 * structured data take it. Times in months and business days, [least, most].
 */
export const shelfLifeMonths = [12, 18] as const;
export const dispatchDays = [1, 2] as const;
export const inciName = "Elaeis oleifera kernel oil";
/** ISO 3166 codes of where the oil comes from and where the giving goes. */
export const originCountry = "HN";
export const givingCountry = "LR";
