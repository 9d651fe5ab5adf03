-- A saved search that adds its newest matches to the member's crate every week.
alter table saved_search
  -- How many songs it adds at most; null if it adds none.
  add column fill_limit smallint check (fill_limit between 1 and 100),
  add column filled_at timestamptz,
  -- The songs it has added, the last ones first: they are not added again after the member has removed them.
  add column filled_songs bigint[] not null default '{}';
