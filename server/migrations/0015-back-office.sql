-- The back office: members are found, what staff know about them is kept, and what staff did is read.

-- The words of a DJ name and of an address, found by their beginnings.
create index customer_words on customer
  using gin (to_tsvector('simple', translate(dj_name || ' ' || email, '@.-_+/:<>&''', '           ')));

-- What staff write about a member, and why one was shut out or let in again.
create table staff_note (
  staff_note_id bigint generated always as identity primary key,
  customer_id bigint not null references customer on delete cascade,
  kind text not null default 'note' check (kind in ('note', 'suspended', 'lifted')),
  text text not null default '' check (text <> '' or kind = 'lifted'),
  written_by bigint references customer on delete set null,
  at timestamptz not null default now()
);
create index staff_note_member on staff_note (customer_id, staff_note_id desc);

create index audit_staff on audit (staff_id, audit_id desc);
create index audit_action on audit (action, audit_id desc);
