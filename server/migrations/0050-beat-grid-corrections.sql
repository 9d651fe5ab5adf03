-- Beat grids that staff or the uploader corrected by ear. They have a table of their own: an analysis replaces the row
-- of beat_grid, and a file without a measured grid can get one.
create table beat_grid_correction (
  file_id bigint primary key references file on delete cascade,
  bpm real not null check (bpm between 20 and 400),
  first_downbeat_seconds double precision not null check (first_downbeat_seconds >= 0),
  -- [{kind, at_seconds}]
  cues jsonb not null default '[]',
  corrected_by_kind text not null check (corrected_by_kind in ('uploader', 'staff')),
  corrected_by bigint references customer on delete set null,
  corrected_at timestamptz not null default now()
);
