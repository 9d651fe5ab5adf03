-- The artists and the label of each published song, for their pages. `credit_key` is the name without case, accents and
-- punctuation. Songs published before this migration are added by the job `credit_songs`, which runs when a worker starts.
create table song_credit (
  entity_id bigint not null references song on delete cascade,
  kind text collate "C" not null check (kind in ('artist', 'label')),
  credit_key text collate "C" not null check (credit_key <> ''),
  name text not null,
  song_section_id smallint not null,
  primary key (entity_id, kind, credit_key)
);
create index song_credit_listed on song_credit (kind, credit_key, entity_id desc) include (song_section_id);
