/** Parts of the folder's name that stay on this computer, as JSON. */
export const sql = `alter table items add column private_words text not null default '[]';`;
