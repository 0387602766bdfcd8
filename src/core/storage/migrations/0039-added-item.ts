/** The item whose quantity an approved revise adds to a live listing. It is null again after the item is removed. */
export const sql = `
alter table approvals add column added_item_id text;
create index approvals_by_added_item on approvals (account, state) where added_item_id is not null;
`;
