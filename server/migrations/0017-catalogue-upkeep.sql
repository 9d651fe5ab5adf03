-- The upkeep of the catalogue: songs that were merged, genres that were called otherwise, imports from the back office.

-- The member's song a version was published with; nothing for the pool's own. What becomes of that song is told to these.
alter table song_version add column upload_song_id bigint references upload_song;
update song_version v set upload_song_id = s.upload_song_id from upload_song s
where s.entity_id = v.entity_id and (
  exists (select 1 from upload_version own where own.song_version_id = v.song_version_id and own.upload_song_id = s.upload_song_id)
  or exists (select 1 from upload u where u.file_id = v.file_id and u.customer_id = s.customer_id));
create index song_version_of_upload on song_version (upload_song_id) where upload_song_id is not null;

-- Two members may have sent what staff then found to be one song.
alter table upload_song drop constraint upload_song_entity_id_key;
create index upload_song_in_pool on upload_song (entity_id) where entity_id is not null;

-- A song that went into another one: where its address leads, and what it was, for whoever takes them apart again.
create table merged_song (
  entity_id bigint primary key,
  into_entity_id bigint not null references song on delete cascade,
  song_section_id smallint not null,
  -- What comes in under this name later is a version of the song that stayed.
  song_identity text collate "C" not null,
  -- {"song": {…}, "genres": […], "versions": [{"song_version_id", "version_label", "position", "status", …}]}
  was jsonb not null,
  merged_by bigint references customer on delete set null,
  merged_at timestamptz not null default now()
);
create index merged_song_into on merged_song (into_entity_id);
create index merged_song_identity on merged_song (song_section_id, song_identity);

-- Raised by each change; whoever changes it names the one they read.
alter table genre add column version int not null default 1;

-- What a genre was called before, and the genres that went into it.
create table former_genre (
  former_genre_id int generated always as identity primary key,
  genre_id int not null references genre on delete cascade,
  -- The number of the genre that went into it; nothing for a name alone.
  former_id int unique,
  name text not null
);
create index former_genre_name on former_genre (lower(name));
create index former_genre_of on former_genre (genre_id);

create table import_run (
  import_run_id bigint generated always as identity primary key,
  source text not null check (source in ('folder', 'browser')),
  folder text not null check (folder <> ''),
  song_section_id smallint not null default 1 check (song_section_id in (1, 2)),
  -- For files that name none.
  genre text not null default '',
  phase text not null default 'plan' check (phase in ('plan', 'import')),
  state text not null check (state in ('sending', 'waiting', 'running', 'done', 'stopped', 'failed')),
  -- Asked for while it runs; whoever runs it finishes the files under way.
  is_stopping boolean not null default false,
  -- Raised whenever somebody takes it up: what a predecessor still says does not count.
  turn int not null default 0,
  -- How often it was taken up without a file being done since: one that ends its process each time is not tried for ever.
  tries smallint not null default 0,
  -- The last sign of whoever runs it; without one for a while somebody else goes on.
  touched_at timestamptz not null default now(),
  trouble text not null default '',
  started_by bigint references customer on delete set null,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz
);
create index import_run_open on import_run (import_run_id) where state in ('waiting', 'running');

-- A file of an import and what became of it: its report.
create table import_file (
  import_run_id bigint not null references import_run on delete cascade,
  n int not null,
  -- Below the folder.
  path text not null,
  bytes bigint not null,
  -- In the store until it is imported, where a browser sent it.
  held_sha256 bytea,
  -- Nothing while it waits.
  outcome text check (outcome in ('added', 'skipped')),
  reason text not null default '',
  detail text not null default '',
  title text not null default '',
  artist text not null default '',
  version_label text not null default '',
  is_new_song boolean not null default false,
  song_version_id bigint references song_version on delete set null,
  note text not null default '',
  primary key (import_run_id, n),
  unique (import_run_id, path)
);
create index import_file_held on import_file (held_sha256) where held_sha256 is not null;
