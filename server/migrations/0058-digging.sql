-- What a member decided about a song of a list while digging: it is not shown in that list again.
create table dig_decision (
  customer_id bigint not null references customer on delete cascade,
  -- See `LIST_PATTERN` in contract/src/digging.ts.
  list text collate "C" not null,
  entity_id bigint not null references song,
  action text collate "C" not null check (action in ('skip', 'crate', 'favourite', 'never')),
  -- The versions that this decision added to the crate; undo removes only these.
  crate_versions bigint[] not null default '{}',
  -- Whether this decision added the favourite, or the mute of the song.
  has_added boolean not null default false,
  decided_at timestamptz not null default now(),
  primary key (customer_id, list, entity_id)
);
create index dig_decision_song on dig_decision (entity_id);

-- What a member does not want to be offered: a song, an artist, a label, a genre or a kind of version.
create table mute (
  mute_id bigint primary key generated always as identity,
  customer_id bigint not null references customer on delete cascade,
  kind text collate "C" not null check (kind in ('song', 'artist', 'label', 'genre', 'version')),
  entity_id bigint references song,
  genre_id int references genre on delete cascade,
  version_kind_id int references version_kind on delete cascade,
  -- Of an artist or label: the name as it was shown, and the keys in `song_credit` that a song must all have.
  name text,
  credit_keys text[] check (cardinality(credit_keys) > 0),
  muted_at timestamptz not null default now(),
  check ((entity_id is not null) = (kind = 'song')),
  check ((genre_id is not null) = (kind = 'genre')),
  check ((version_kind_id is not null) = (kind = 'version')),
  check ((name is not null) = (kind in ('artist', 'label')) and (credit_keys is not null) = (name is not null))
);
create unique index mute_song on mute (customer_id, entity_id) where entity_id is not null;
create unique index mute_genre on mute (customer_id, genre_id) where genre_id is not null;
create unique index mute_version on mute (customer_id, version_kind_id) where version_kind_id is not null;
create unique index mute_credit on mute (customer_id, kind, credit_keys) where credit_keys is not null;
create index mute_of_song on mute (entity_id) where entity_id is not null;
