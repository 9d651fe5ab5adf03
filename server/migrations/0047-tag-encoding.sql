-- How an import reads tags whose text is declared as Latin-1.
alter table import_run add column tag_encoding text collate "C" not null default 'automatic'
  check (tag_encoding in ('automatic', 'western', 'central_european', 'cyrillic', 'greek', 'turkish', 'japanese', 'korean', 'chinese'));
-- Finds files with the same audio and different tags.
create index file_by_audio on file ((body -> 'ranges' -> 0 ->> 'crc32'));
-- Files are read once more, for the comments in their tags and for 64-bit sizes.
alter table file alter column body_version set default 3;
drop index file_outdated;
create index file_outdated on file (file_id) where body_version < 3;
