-- Programming: what curators put together has drafts, times and an end.

alter table curated_list
  -- Nothing for a draft.
  alter column published_at drop not null,
  add column ended_at timestamptz,
  add column withdrawn_at timestamptz,
  -- When members could see it first, noted when its times change; nothing for one whose times never did.
  add column first_shown_at timestamptz,
  -- From when on it is suggested; nothing: as soon as it is published.
  add column suggested_from timestamptz,
  add column changed_at timestamptz not null default now(),
  add column version int not null default 1,
  add check (ended_at > published_at),
  add check (withdrawn_at is null or published_at is not null);

alter table top20
  alter column published_at drop not null,
  add column ended_at timestamptz,
  add column withdrawn_at timestamptz,
  add column first_shown_at timestamptz,
  add column changed_at timestamptz not null default now(),
  add column version int not null default 1,
  add check (ended_at > published_at),
  add check (withdrawn_at is null or published_at is not null);

alter table curated_genre add column version int not null default 1;

-- Until when a pin holds; nothing: for good.
alter table trending_override add column until timestamptz;

-- Where ids were set by hand, the next one goes on after them.
select setval(pg_get_serial_sequence('curated_genre', 'curated_genre_id'), max(curated_genre_id))
from curated_genre having count(*) > 0;
