-- The picture of a folder that a browser sends: the cover of its files that have none in their tags.

create table import_cover (
  import_run_id bigint not null references import_run on delete cascade,
  -- Below the one that was chosen, which is '.' itself.
  folder text not null,
  -- Of the picture as it was sent: the same need not come again.
  sent_sha256 bytea not null check (octet_length(sent_sha256) = 32),
  -- Drawn anew as covers are, in the store until the import is over.
  picture_sha256 bytea not null check (octet_length(picture_sha256) = 32),
  width int not null,
  height int not null,
  primary key (import_run_id, folder)
);
create index import_cover_picture on import_cover (picture_sha256);
