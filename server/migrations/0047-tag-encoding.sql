-- How an import reads tags whose text is declared as Latin-1.
alter table import_run add column tag_encoding text collate "C" not null default 'automatic'
  check (tag_encoding in ('automatic', 'western', 'central_european', 'cyrillic', 'greek', 'turkish', 'japanese', 'korean', 'chinese'));
