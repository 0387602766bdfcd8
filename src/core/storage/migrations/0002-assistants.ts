export const sql = `
alter table assistants add column scope text not null default 'ask';
alter table assistants add column folders text not null default '[]';
alter table items add column marketplace_id text;
alter table items add column listing_language text;
alter table generations add column extras_approval text;
`;
