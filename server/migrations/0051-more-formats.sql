-- Files in M4A (AAC and Apple Lossless), Ogg Vorbis and Opus.
alter table file drop constraint file_format_check;
alter table file add constraint file_format_check
  check (format in ('mp3', 'wav', 'flac', 'aiff', 'm4a', 'ogg', 'opus'));
