-- Originals of the wrong length, what was sent by each download link, and zips that continue one another.

-- Length of what the store has in place of a damaged original; equal to `bytes` where only its content is wrong. A
-- damaged original is unavailable since `missing_since`, like a missing one.
alter table file add column found_bytes bigint;
alter table file add constraint file_found_while_unavailable check (found_bytes is null or missing_since is not null);

alter table bundle
  -- What was left out and why; listed in the zip's playlist.
  add column skipped jsonb not null default '[]',
  -- "Zip 2 of 3" of a crate; versions that are left for the zips after this one.
  add column part smallint not null default 1,
  add column parts smallint not null default 1,
  add column remaining bigint[] not null default '{}';

create index bundle_customer on bundle (customer_id);

-- What was sent of one download, over all links that were made for it. Staff downloads are of a version and not counted.
create table download_transfer (
  transfer_id bigint generated always as identity primary key,
  customer_id bigint not null references customer,
  download_id bigint unique references download,
  bundle_id bigint unique references bundle on delete cascade,
  song_version_id bigint references song_version,
  -- Length of the file or zip when it was last sent.
  bytes bigint,
  -- Reserved in slices before they are sent; what was not sent is given back when a request ends.
  sent_bytes bigint not null default 0 check (sent_bytes >= 0),
  sent_at timestamptz,
  made_at timestamptz not null default now(),
  constraint download_transfer_of_one check (num_nonnulls(download_id, bundle_id, song_version_id) = 1)
) with (fillfactor = 70);
create index download_transfer_customer on download_transfer (customer_id);
create index download_transfer_made on download_transfer (made_at);

-- A signed link. The first request by it decides its network and its exact bytes.
create table download_link (
  link_id bigint generated always as identity primary key,
  transfer_id bigint not null references download_transfer on delete cascade,
  -- One network of each family: a machine may use both at once.
  network_v4 cidr,
  network_v6 cidr,
  etag text,
  -- Which bytes of it have been sent.
  sent int8multirange not null default '{}',
  sent_at timestamptz,
  made_at timestamptz not null default now()
) with (fillfactor = 70);
create index download_link_transfer on download_link (transfer_id);
