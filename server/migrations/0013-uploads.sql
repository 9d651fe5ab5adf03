-- What members send: files, the songs they make of them, and what staff decided.

alter table song
  -- When it left the pool; whoever downloaded it before can fetch it again for a while.
  add column withdrawn_at timestamptz,
  -- When a value that is written into downloads was corrected.
  add column tags_changed_at timestamptz;

alter table song_version
  -- Where its preview begins best.
  add column preview_start_seconds real not null default 0 check (preview_start_seconds >= 0),
  add column withdrawn_at timestamptz;

-- Fetched again because its tags were corrected: neither counted nor charted.
alter table download add column free boolean not null default false;

-- A file that was withdrawn may come back in another song.
drop index song_version_file;
create unique index song_version_file on song_version (file_id) where file_id is not null and status <> 'withdrawn';
create index song_version_of_file on song_version (file_id) where file_id is not null;

-- The same sound under other tags is another file with the same preview.
create index preview_by_content on preview (sha256);

-- A label that one uploader made up is not offered to everybody.
alter table version_kind add column offered boolean not null default true;
-- The usual ones, so that there is something to choose in a pool without music.
insert into version_kind (version_code, name, position) values
  ('original', 'Original', 1), ('clean', 'Clean', 2), ('dirty', 'Dirty', 3), ('intro_clean', 'Intro Clean', 4),
  ('intro_dirty', 'Intro Dirty', 5), ('instrumental', 'Instrumental', 6), ('acapella', 'Acapella', 7),
  ('acapella_intro', 'Acapella Intro', 8), ('extended', 'Extended', 9), ('quick_hit', 'Quick Hit', 10)
on conflict do nothing;

-- What became of a song, by week.
create index favourite_of_song on favourite (entity_id, added_at);
create index listen_count_song on listen_count (entity_id, day);

create table upload (
  upload_id bigint generated always as identity primary key,
  customer_id bigint not null references customer,
  name text not null,
  bytes bigint not null check (bytes > 0),
  sha256 bytea not null check (octet_length(sha256) = 32),
  -- Once something could be heard in it.
  file_id bigint references file,
  artwork_id bigint references artwork,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed')),
  -- How often its analysis was begun: one that ends its process three times is not tried again.
  tries smallint not null default 0,
  -- Of the file, 0 to 1.
  share real not null default 0,
  -- The last sign of whoever analyses it; without one for a while somebody else takes it up.
  touched_at timestamptz not null default now(),
  -- Not looked at before: what failed on our side is put off, and holds nobody up.
  due_at timestamptz not null default now(),
  -- Whether it can go into the pool; unknown until its analysis has ended.
  playable boolean,
  tag jsonb not null default '{}',
  faults jsonb not null default '[]',
  uploaded_at timestamptz not null default now(),
  removed_at timestamptz,
  check (playable is null or state in ('done', 'failed')),
  check (playable is not true or file_id is not null)
);
create index upload_container on upload (customer_id, upload_id desc) where removed_at is null;
create unique index upload_once on upload (customer_id, sha256) where removed_at is null;
create index upload_waiting on upload (due_at) where state in ('queued', 'running') and removed_at is null;
create index upload_of_file on upload (file_id) where file_id is not null;
create index upload_by_content on upload (sha256);

-- Files with the same recording, as they were found when the upload was analysed.
create table upload_twin (
  upload_id bigint not null references upload on delete cascade,
  file_id bigint not null references file on delete cascade,
  similarity real not null,
  primary key (upload_id, file_id)
);

-- A song as its uploader (or staff) last saved it. In the pool stands what was published of it.
create table upload_song (
  upload_song_id bigint generated always as identity primary key,
  customer_id bigint not null references customer,
  -- The song in the pool, once it was published.
  entity_id bigint unique references song,
  song_section_id smallint not null default 2 check (song_section_id in (1, 2)),
  title text not null check (title <> ''),
  artist text not null check (artist <> ''),
  year smallint not null,
  song_key text collate "C" not null,
  min_bpm real not null,
  max_bpm real not null,
  genres int[] not null,
  -- Where each value came from: {"title": "tag", "bpm": "analysis", …}.
  sources jsonb not null,
  review text not null default 'open' check (review in ('open', 'published', 'refused')),
  reason text not null default '',
  -- Raised by each change; whoever changes it names the one they read.
  version int not null default 1,
  expires_at timestamptz not null,
  -- Picked by somebody; otherwise the days count from the publication.
  expires_picked boolean not null,
  -- When its days were over and it was taken out of the pool; nothing while it stands there, or where staff took it out.
  left_at timestamptz,
  reminded_at timestamptz,
  submitted_at timestamptz,
  published_at timestamptz,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  check (min_bpm <= max_bpm)
);
create index upload_song_own on upload_song (customer_id, upload_song_id desc) where deleted_at is null;
create index upload_song_open on upload_song (submitted_at, upload_song_id) where review = 'open' and deleted_at is null;
create index upload_song_expiry on upload_song (expires_at)
  where entity_id is not null and left_at is null and deleted_at is null;

-- A version slot. The id is the one it has in the pool.
create table upload_version (
  song_version_id bigint primary key default nextval(pg_get_serial_sequence('song_version', 'song_version_id')),
  upload_song_id bigint not null references upload_song on delete cascade,
  -- Nothing for a label of its own.
  version_kind_id int references version_kind,
  version_label text not null check (version_label <> ''),
  position smallint not null,
  upload_id bigint not null unique references upload,
  start_seconds real not null default 0 check (start_seconds >= 0),
  unique (upload_song_id, version_label) deferrable initially deferred
);

create table upload_review (
  upload_review_id bigint generated always as identity primary key,
  upload_song_id bigint not null references upload_song,
  staff_id bigint not null references customer,
  decision text not null check (decision in ('published', 'refused', 'edited')),
  reason text not null default '',
  at timestamptz not null default now()
);
create index upload_review_song on upload_review (upload_song_id, upload_review_id desc);
