-- What admins set while the pool runs. What is not here is as the environment has it.
create table setting (
  -- Settings that are changed together: `limits`.
  name text collate "C" primary key check (name ~ '^[a-z][a-z_]{0,39}$'),
  -- {"download_limit": 3}; a setting that is left out, or null, is as the environment has it.
  chosen jsonb not null default '{}' check (jsonb_typeof(chosen) = 'object'),
  -- Of the group that is a picture: its SHA-256 in the store.
  picture_sha256 bytea check (octet_length(picture_sha256) = 32),
  -- Raised by each change; whoever changes it names the one they read.
  version int not null default 1,
  changed_by bigint references customer on delete set null,
  changed_at timestamptz not null default now()
);
