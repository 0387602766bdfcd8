/**
 * What pages of items are found and counted by, so that no item is read that is not shown: where each stands, and which
 * photos have left for the service or still have to be prepared.
 */
export const sql = `
create index items_by_step on items (account, step, created_at, guessed, stop);
create index photos_at_service on photos (item_id)
  where removed_at is null and (slot is not null or uploaded_at is not null);
create index photos_by_state on photos (item_id, removed_at, state, uploaded_at);
`;
