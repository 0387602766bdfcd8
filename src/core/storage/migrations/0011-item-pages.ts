export const sql = `
create index items_by_step on items (account, step, created_at, guessed, stop);
create index photos_at_service on photos (item_id)
  where removed_at is null and (slot is not null or uploaded_at is not null);
create index photos_by_state on photos (item_id, removed_at, state, uploaded_at);
`;
