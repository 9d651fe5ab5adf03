-- The place of a song in a member's own order of the crate, the same for all of its versions; null for songs added since,
-- which come first.
alter table crate_item add column position int check (position > 0);

-- How a member's crate is ordered; newest first without a row.
create table crate_order (
  customer_id bigint primary key references customer on delete cascade,
  sort text collate "C" not null check (sort in ('newest', 'own')),
  -- Counts the changes, so that an undo does not replace a later one.
  revision int not null default 0
);
