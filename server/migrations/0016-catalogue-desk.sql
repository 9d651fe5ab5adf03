-- The catalogue desk: staff correct songs, see where each value came from, and undo what they did.

alter table song
  -- Where title, artist, album, label, remixer, isrc, year, genres and artwork came from: {"title": "tag", "year": "staff"}.
  -- Tempo and key have columns of their own. What is not named came in before anybody kept it.
  add column origins jsonb not null default '{}',
  -- Raised by each change; whoever changes it names the one they read.
  add column revision int not null default 1,
  -- When staff, or an analysis, last changed it.
  add column changed_at timestamptz;

-- What the tags of its file said when it came in, or was last analysed again: {"title": …, "bpm": …}.
alter table song_version add column tag jsonb not null default '{}';

-- Songs of every state are found by the beginnings of the words of artist, title and remix, and of album and label.
create index song_desk_words on song
  using gin (to_tsvector('simple', translate(song_identity, '|', ' ') || ' ' || album || ' ' || label));
create index song_desk_isrc on song (isrc) where isrc <> '';
-- With what is filtered beside it, so that a far page is walked in the index alone.
create index song_desk_title on song (lower(title) collate "C", entity_id) include (title, status, song_section_id);
create index song_desk_artist on song (lower(artist) collate "C", entity_id) include (artist, status, song_section_id);
create index song_desk_changed on song (changed_at desc nulls last, entity_id desc);
-- What its filters count.
create index song_desk_counts on song (status, song_section_id, entity_id, min_bpm, key_position, artwork_id, year);
create index song_not_published on song (entity_id) where status <> 'published';
create index song_lacks_key on song (entity_id) where key_position is null;
create index song_lacks_bpm on song (entity_id) where min_bpm is null;
create index song_lacks_art on song (entity_id) where artwork_id is null;
create index song_lacks_year on song (entity_id) where year is null;

-- What staff changed in one go, for taking it back.
create table song_edit (
  song_edit_id bigint generated always as identity primary key,
  staff_id bigint references customer on delete set null,
  at timestamptz not null default now(),
  kind text not null check (kind in
    ('edited', 'withdrawn', 'restored', 'version_withdrawn', 'version_restored', 'cover', 'analysed', 'undone')),
  -- The values it set, of whichever songs.
  fields text[] not null default '{}',
  songs int not null default 0,
  -- Of one that takes another back: which.
  undoes bigint references song_edit,
  undone_at timestamptz,
  check ((kind = 'undone') = (undoes is not null))
);
create index song_edit_newest on song_edit (staff_id, song_edit_id desc);

-- The values of one song before and after, by field: undoing puts the former where the latter still stand.
create table song_edit_song (
  song_edit_id bigint not null references song_edit on delete cascade,
  entity_id bigint not null references song,
  before jsonb not null,
  after jsonb not null,
  -- What `song.tags_changed_at` was and became, where the edit set it.
  tags_changed_before timestamptz,
  tags_changed_after timestamptz,
  undone boolean not null default false,
  primary key (song_edit_id, entity_id)
);
create index song_edit_of_song on song_edit_song (entity_id, song_edit_id desc);

-- Stored files that staff want analysed again, and how far that is.
create table reanalysis (
  file_id bigint primary key references file on delete cascade,
  asked_by bigint references customer on delete set null,
  asked_at timestamptz not null default now(),
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed')),
  -- How often it was begun: one that ends its process three times is not tried again.
  tries smallint not null default 0,
  -- Of the file, 0 to 1.
  share real not null default 0,
  touched_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  trouble text not null default ''
);
create index reanalysis_waiting on reanalysis (due_at) where state in ('queued', 'running');
create index reanalysis_newest on reanalysis (asked_at);
