/** The SKU on the label that a photo shows, and the SKU that an item got from its label last. */
export const sql = `
alter table photos add column label_sku text;
alter table items add column label_sku text;
`;
