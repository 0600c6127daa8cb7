/** Adds the block with the cursor to the presence of users who edit a page. */
export const presenceBlock = {
  sqlite: 'alter table presence add column block_key text',
  postgres: 'alter table presence add column block_key text',
}
