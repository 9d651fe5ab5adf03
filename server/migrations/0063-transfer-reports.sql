-- Transfers that the front server sends, until it reports how many bytes it sent.
create table transfer_report (
  report_id bigint primary key generated always as identity,
  link_id bigint not null references download_link on delete cascade,
  -- The requested bytes of a file of this length; `end_byte` is exclusive.
  first_byte bigint not null,
  end_byte bigint not null,
  length bigint not null,
  created_at timestamptz not null default now(),
  check (0 <= first_byte and first_byte <= end_byte and end_byte <= length)
);
create index transfer_report_link on transfer_report (link_id);
create index transfer_report_created on transfer_report (created_at);
