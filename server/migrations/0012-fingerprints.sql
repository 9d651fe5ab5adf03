-- What a recording sounds like, to find the same one again: see audio/fingerprint.ts.
create table fingerprint (
  file_id bigint primary key references file on delete cascade,
  -- 32 bits eight times a second, little-endian.
  codes bytea not null check (octet_length(codes) > 0 and octet_length(codes) % 4 = 0),
  -- At most 128 of them without their lowest bits: what the index finds it by.
  keys int[] not null
);
create index fingerprint_keys on fingerprint using gin (keys) with (fastupdate = off);
-- Nearly every key is rare: statistics of them would only make planning slow.
alter table fingerprint alter column keys set statistics 0;
