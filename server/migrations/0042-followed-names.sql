-- The artists and labels that members follow. The keys are those of `song_credit`; a name such as “A feat. B” has one for each
-- artist, sorted. `name` is the name as it was written when it was followed.
create table followed_name (
  customer_id bigint not null references customer on delete cascade,
  kind text collate "C" not null check (kind in ('artist', 'label')),
  credit_keys text[] collate "C" not null check (cardinality(credit_keys) > 0),
  name text not null,
  followed_at timestamptz not null default now(),
  primary key (customer_id, kind, credit_keys)
);
