-- One order of versions in every list: these kinds, then the others (position 0) in the order of their song.
insert into version_kind (version_code, name) values ('transition', 'Transition') on conflict do nothing;
update version_kind set position = array_position(
  array['original', 'intro_clean', 'intro_dirty', 'clean', 'dirty', 'quick_hit', 'extended', 'instrumental', 'acapella',
    'transition', 'acapella_intro'], version_code)
where version_code in ('original', 'intro_clean', 'intro_dirty', 'clean', 'dirty', 'quick_hit', 'extended', 'instrumental',
  'acapella', 'transition', 'acapella_intro');
