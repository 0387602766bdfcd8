/** The texts of the codes in a photo, the SKU on the label that it shows, and the SKU that an item got from its label. */
export const sql = `
alter table photos add column label_texts text not null default '[]';
alter table photos add column label_sku text;
alter table items add column label_sku text;
`;
