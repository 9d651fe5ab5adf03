-- Each version has its own tempo and key; those of the song are derived from its versions.
alter table song_version
  -- The lower one of a version that changes its tempo.
  add column bpm real,
  -- The higher tempo of a version that changes it, otherwise null.
  add column bpm_to real,
  add column bpm_source text check (bpm_source in ('tag', 'name', 'analysis', 'uploader', 'staff')),
  -- Only of an analysis.
  add column bpm_confidence real,
  add column song_key text collate "C",
  add column key_source text check (key_source in ('tag', 'name', 'analysis', 'uploader', 'staff')),
  -- Only of an analysis; of the version whose key it is.
  add column key_confidence real,
  add check (bpm < bpm_to);

-- The first of: the value that people set for the song, its tags, its name, its analysis, and the value of the song for
-- music without a file. Only a transition, or the only version of a song, has a range.
update song_version v set
  bpm = tempo.bpm, bpm_to = tempo.bpm_to, bpm_source = tempo.source, bpm_confidence = tempo.confidence,
  song_key = musical.song_key, key_source = musical.source, key_confidence = musical.confidence
from song_version w join song s using (entity_id) left join analysis a on a.file_id = w.file_id
cross join lateral (
  select count(*) = 1 as is_only, w.version_label ~* 'transition' as is_transition
  from song_version o where o.entity_id = w.entity_id) kind
left join lateral (
  select bpm, bpm_to, source, confidence from (
    select 1 as rank, s.min_bpm as bpm, null::real as bpm_to, s.bpm_source as source, null::real as confidence
    where s.bpm_source in ('staff', 'uploader') and s.min_bpm is not distinct from s.max_bpm
    union all
    select 2, s.min_bpm, s.max_bpm, s.bpm_source, null where s.min_bpm < s.max_bpm and (kind.is_transition or kind.is_only)
    union all
    select 3, (w.tag ->> 'bpm')::real, null, 'tag', null where jsonb_typeof(w.tag -> 'bpm') = 'number'
    union all
    select 4, s.min_bpm, null, 'name', null
    where s.bpm_source = 'name' and s.min_bpm = s.max_bpm
      and (kind.is_only or w.uploaded_name ~ ('(^|[^0-9.])' || round(s.min_bpm::numeric) || '([^0-9]|$)'))
    union all
    select 5, a.bpm, null, 'analysis', case when w.duration_seconds < 20 then least(a.bpm_confidence, 0.4) else a.bpm_confidence end
    where a.bpm is not null
    union all
    select 6, s.min_bpm, null, s.bpm_source, null where s.min_bpm is not null and a.file_id is null
  ) candidate order by rank limit 1) tempo on true
left join lateral (
  select song_key, source, confidence from (
    select 1 as rank, s.song_key, s.key_source as source, null::real as confidence where s.key_source in ('staff', 'uploader')
    union all
    select 2, w.tag ->> 'song_key', 'tag', null where w.tag ->> 'song_key' <> ''
    union all
    select 3, s.song_key, 'name', null where s.key_source = 'name' and (kind.is_only or a.song_key is null)
    union all
    select 4, a.song_key, 'analysis', case when w.duration_seconds < 20 then least(a.key_confidence, 0.4) else a.key_confidence end
    where a.song_key is not null
    union all
    select 5, s.song_key, s.key_source, null where s.song_key is not null and a.file_id is null
  ) candidate order by rank limit 1) musical on true
where w.song_version_id = v.song_version_id;

-- Analysed tempos of a song that differ by an octave get the one of the most confident version.
update song_version v set
  bpm = round((v.bpm * case when v.bpm > leader.bpm then 0.5 else 2 end)::numeric, 2),
  bpm_confidence = case when v.duration_seconds < 20 then v.bpm_confidence else greatest(v.bpm_confidence, leader.bpm_confidence) end
from song_version w
cross join lateral (
  select o.bpm, o.bpm_confidence from song_version o
  where o.entity_id = w.entity_id and o.bpm > 0 and o.bpm_to is null and coalesce(o.bpm_source, 'analysis') in ('tag', 'name', 'analysis')
    and (abs(w.bpm / o.bpm - 1) <= 0.01 or abs(w.bpm * 2 / o.bpm - 1) <= 0.01 or abs(w.bpm / 2 / o.bpm - 1) <= 0.01)
  order by o.status = 'unpublished', array_position(array['tag', 'name', 'analysis'], o.bpm_source),
    o.version_label ~* 'acapella', coalesce(o.bpm_confidence, 0) desc, o.song_version_id limit 1) leader
where w.song_version_id = v.song_version_id and v.bpm_source = 'analysis' and v.bpm_to is null and abs(v.bpm / leader.bpm - 1) > 0.01;

-- An unlikely key is replaced with the one of the most confident version with about the same tempo.
update song_version v set song_key = other.song_key, key_source = 'analysis', key_confidence = other.confidence
from song_version w join analysis a on a.file_id = w.file_id
cross join lateral (
  select o.song_key, o.status, o.song_version_id, coalesce(o.key_confidence, case when o.key_source = 'analysis' then 0 else 1 end) as confidence
  from song_version o
  where o.entity_id = w.entity_id and o.song_version_id <> w.song_version_id and o.song_key is not null
    and (o.bpm is null or w.bpm is null
      or (o.bpm_source = 'analysis' and o.bpm_confidence < 0.5) or (w.bpm_source = 'analysis' and w.bpm_confidence < 0.5)
      or (o.bpm <= coalesce(w.bpm_to, w.bpm) * 1.03 and w.bpm <= coalesce(o.bpm_to, o.bpm) * 1.03))
  order by status = 'unpublished', confidence desc, song_version_id limit 1) other
where w.song_version_id = v.song_version_id and coalesce(v.key_source, 'analysis') = 'analysis'
  and (v.song_key is null or v.key_confidence < 0.6) and other.confidence > coalesce(v.key_confidence, 0);

-- The range of the song, unless people set one; and the key that they set, or of the most confident version.
with listed as (
  select *, coalesce(array_position(array['analysis', 'name', 'tag', 'uploader', 'staff'], bpm_source), 0) as trust,
    bpm_source = 'analysis' and coalesce(bpm_confidence < 0.5, false) as is_uncertain
  from song_version where status <> 'unpublished' and bpm is not null),
best as (
  select distinct on (entity_id) entity_id, bpm, bpm_to, bpm_source, is_uncertain from listed
  order by entity_id, is_uncertain, trust desc, version_label ~* 'acapella', coalesce(bpm_confidence, 0) desc, song_version_id),
derived as (
  select entity_id, min(bpm) as low, max(coalesce(bpm_to, bpm)) as high,
    case when count(distinct coalesce(bpm_source, '')) = 1 then min(bpm_source) end as source
  from listed where not is_uncertain group by 1)
update song s set
  min_bpm = case when r.high - r.low >= 0.5 then r.low else b.bpm end,
  max_bpm = case when r.high - r.low >= 0.5 then r.high else coalesce(b.bpm_to, b.bpm) end,
  bpm_source = case when r.high - r.low >= 0.5 then case when r.source in ('tag', 'name', 'analysis') then r.source end else b.bpm_source end
from best b left join derived r using (entity_id)
where b.entity_id = s.entity_id and not coalesce(s.bpm_source in ('staff', 'uploader') and s.min_bpm < s.max_bpm, false);

with best as (
  select distinct on (entity_id) entity_id, song_key, key_source from song_version
  where status <> 'unpublished' and song_key is not null
  order by entity_id, coalesce(array_position(array['analysis', 'name', 'tag', 'uploader', 'staff'], key_source), 0) desc,
    coalesce(key_confidence, 0) desc, song_version_id)
update song s set song_key = b.song_key, key_source = b.key_source, key_position = camelot.position
from best b cross join lateral (
  select array_position(array['G#m', 'B', 'Ebm', 'F#', 'Bbm', 'Db', 'Fm', 'Ab', 'Cm', 'Eb', 'Gm', 'Bb', 'Dm', 'F', 'Am', 'C', 'Em', 'G', 'Bm',
    'D', 'F#m', 'A', 'C#m', 'E'], b.song_key::text) as position) camelot
where b.entity_id = s.entity_id and s.song_key is distinct from b.song_key and camelot.position is not null;

-- The same in the search index.
update song_search i set
  max_bpm = s.max_bpm,
  tsv = ts_delete(i.tsv, array(select lexeme from unnest(i.tsv) where lexeme ~ '^#[bBk][0-9]')) || array_to_tsvector(array_remove(array[
    '#k' || s.key_position, '#b' || round(s.min_bpm::numeric), '#B' || floor(round(s.min_bpm::numeric) / 8)], null))
from song s
where s.entity_id = i.entity_id and s.status = 'published' and (
  i.max_bpm is distinct from s.max_bpm
  or not (s.min_bpm is null or i.tsv @@ ('''#b' || round(s.min_bpm::numeric) || '''')::tsquery)
  or not (s.key_position is null or i.tsv @@ ('''#k' || s.key_position || '''')::tsquery));
