-- Beats, bars, sections and cue points of each analysed file, on the timeline of its decoded samples. Files that were
-- analysed before have none until they are analysed again.
create table beat_grid (
  file_id bigint primary key references file on delete cascade,
  -- Two decimals; the mean of a tempo that drifts.
  bpm real not null check (bpm > 0),
  first_downbeat_seconds real not null check (first_downbeat_seconds >= 0),
  -- Probabilities that beats, and bars, are where they are heard.
  beat_confidence real not null check (beat_confidence between 0 and 1),
  downbeat_confidence real not null check (downbeat_confidence between 0 and 1),
  -- [{beat, at_seconds, bpm}]: straight parts of a tempo that drifts; empty for a constant one.
  tempo_changes jsonb not null default '[]',
  -- [{bar, bars, kind, level, has_kick, start_seconds}] and [{bar, kind, at_seconds}]; bar 0 is at the first downbeat.
  sections jsonb not null default '[]',
  cues jsonb not null default '[]',
  energy smallint check (energy between 1 and 10)
);
