/** The SKU that a live listing got last. The service might not show it, so the companion remembers what it sent. */
export const sql = `
alter table shelf add column sent_sku text;
create trigger shelf_learns_sent_sku after update of state on approvals
  when new.state = 'done' and old.state <> 'done' and new.route = 'reviseListing'
    and json_type(new.subject, '$.request.input.body.sku') = 'text' begin
  update shelf set sent_sku = json_extract(new.subject, '$.request.input.body.sku')
    where account = new.account and listing_id = new.listing_id;
end;
`;
