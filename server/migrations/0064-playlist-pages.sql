-- Playlists are listed in pages, and found by their names.
alter table playlist
  -- What a search is compared with: the name in lower case, without accents.
  add plain_title text collate "C" not null
    generated always as (regexp_replace(normalize(folded_title, NFD), '[\u0300-\u036f]', '', 'g')) stored,
  -- Sorts by name regardless of case and accents, and “Set 2” before “Set 10”: digits are padded to eight.
  add title_order text collate "C" not null
    generated always as (
      regexp_replace(
        regexp_replace(
          regexp_replace(normalize(folded_title, NFD), '[\u0300-\u036f]', '', 'g'),
          '[0-9]+', '0000000\&', 'g'),
        '[0-9]*([0-9]{8})', '\1', 'g')) stored;

-- A member's own playlists, last changed first.
create index playlist_own on playlist (customer_id, changed_at desc, playlist_id desc) where deleted_at is null;

-- The public ones by name, without those of one member; counted with the index alone.
create index playlist_public_title on playlist (title_order, playlist_id) include (customer_id)
  where public and deleted_at is null;

-- Public playlists by the beginnings of words, and of the whole name (library/playlist-lists.ts).
create index playlist_public_search on playlist
  using gin (to_tsvector('simple', translate(plain_title, '@.-_+/:<>&''', '           ')))
  where public and deleted_at is null;
create index playlist_public_beginning on playlist (plain_title) where public and deleted_at is null;
