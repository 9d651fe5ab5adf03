-- A library of a member: the files of a DJ program or a music folder. See contract/src/own-library.ts.
create table own_library (
  library_id bigint primary key generated always as identity,
  customer_id bigint not null references customer on delete cascade,
  name text not null check (name <> ''),
  format text collate "C" not null,
  state text collate "C" not null default 'receiving' check (state in ('receiving', 'matching', 'failed', 'ready')),
  -- Whether an import was finished: until then, an earlier library of the same name is shown.
  is_listed boolean not null default false,
  entries int not null check (entries > 0),
  -- How many entries were received, or compared with the pool while `matching`: the first ones in the order of `n`.
  done int not null default 0 check (done between 0 and entries),
  attempts smallint not null default 0,
  started_at timestamptz not null default now(),
  imported_at timestamptz,
  matched_at timestamptz,
  -- Until when a worker has claimed it.
  claimed_until timestamptz,
  check (is_listed or state <> 'ready'),
  check (not is_listed or imported_at is not null and matched_at is not null)
);
create unique index own_library_name on own_library (customer_id, lower(name), is_listed);
create index own_library_matching on own_library (started_at) where state = 'matching';

-- A file of a library, and the song that it is.
create table own_library_entry (
  entry_id bigint primary key generated always as identity,
  library_id bigint not null references own_library on delete cascade,
  -- Its position in the library, from 0.
  n int not null,
  artist text not null,
  title text not null,
  version text not null,
  remixer text not null,
  isrc text not null,
  duration_seconds real,
  bytes bigint,
  -- The file name and the two folders it is in, or fewer.
  path_parts text[] not null,
  -- What the comparison found; null before it.
  found text collate "C" check (found in ('certain', 'review', 'none')),
  reason text collate "C" check (reason in ('path', 'isrc', 'name')),
  decision text collate "C" check (decision in ('confirmed', 'rejected')),
  state text collate "C" not null generated always as (
    case when decision = 'confirmed' then 'matched' when decision = 'rejected' then 'not_found'
      when found = 'certain' then 'matched' when found = 'review' then 'review'
      when found = 'none' then 'not_found' else 'pending' end) stored,
  -- The song that the member owns: the one that was certain or confirmed.
  entity_id bigint references song,
  song_version_id bigint references song_version,
  unique (library_id, n),
  check (song_version_id is null or entity_id is not null)
);
create index own_library_entry_state on own_library_entry (library_id, state, n);
create index own_library_entry_song on own_library_entry (library_id, entity_id, song_version_id) where entity_id is not null;
create index own_library_entry_of_song on own_library_entry (entity_id) where entity_id is not null;

-- The songs that a file may be, the most likely one first. Of a certain match, there is one.
create table own_library_candidate (
  entry_id bigint not null references own_library_entry on delete cascade,
  rank smallint not null,
  entity_id bigint not null references song,
  song_version_id bigint references song_version,
  confidence real not null,
  primary key (entry_id, rank)
);
create index own_library_candidate_song on own_library_candidate (entity_id);
