-- Songs by title: an import adds a version by 'A & B' to the song that is listed as 'A feat. B'.
create index song_title_words on song (song_section_id, split_part(song_identity, '|', 2));

-- '{label}/{artist} - {title}': what the paths of the files say. '' where they are read as usual.
alter table import_run add column pattern text not null default '';

alter table import_file
  -- What tags, name, path and sheet say: artist, title, version_label and genre. Written by the preview.
  add column found jsonb,
  -- What staff changed in the preview, field by field.
  add column correction jsonb,
  add column is_left_out boolean not null default false,
  -- Length of the audio that the import will analyse; 0 where the preview skipped the file, null where it is not known.
  add column audio_seconds real check (audio_seconds >= 0);

-- Sheets (CSV or XLSX) beside the files of an import.
create table import_sheet (
  import_run_id bigint not null references import_run on delete cascade,
  path text not null,
  -- As the browser sent it, until the import is over. Null for a sheet that lies in a folder of the server.
  content bytea,
  files_described int not null default 0,
  -- [{ row, message }]
  problems jsonb not null default '[]',
  primary key (import_run_id, path)
);
