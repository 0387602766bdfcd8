/**
 * The drop whose photos the companion still groups. All items of one dropped folder have the same drop. Null once the
 * photos are grouped.
 */
export const sql = `
alter table items add column drop_id text;
update items set drop_id = item_id where review_reason = 'grouped' and step = 'photos';
create index items_of_drop on items (drop_id, step) where drop_id is not null;
`;
