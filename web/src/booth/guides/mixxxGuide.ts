import type { Guide } from './guide.ts'
import * as texts from './texts.ts'

/** Source: the manual of Mixxx 2.5, chapters "Library" and "Preferences". */
export const mixxxGuide: Guide = {
  software: 'mixxx',
  systems: ['windows', 'macos', 'linux'],
  summary: texts.mixxxSummary,
  contents: {
    playlist: texts.mixxxPlaylist,
    grid: texts.mixxxBeatGrid,
    cues: texts.mixxxCues,
    key: texts.keyInTags,
    comment: texts.commentInTags,
    energy: texts.energyInTags,
  },
  hasCueColours: true,
  hasEnergyColour: false,
  steps: [
    { title: texts.unpack, text: texts.unpackText, drawing: { kind: 'unpack' } },
    {
      title: texts.mixxxAddFolder,
      text: texts.mixxxAddFolderText,
      drawing: {
        kind: 'window',
        pages: ['Sound Hardware', 'Library', 'Beat Detection'],
        page: 'Library',
        section: 'Music Directories',
        settings: [{ name: 'Add', value: 'music' }],
      },
    },
    {
      title: texts.mixxxRescan,
      text: texts.mixxxRescanText,
      drawing: {
        kind: 'menubar',
        menus: ['File', 'Library', 'View', 'Options'],
        menu: 'Library',
        options: ['Rescan Library', 'Create New Playlist'],
        option: 'Rescan Library',
      },
    },
    {
      title: texts.mixxxImport,
      text: texts.mixxxImportText,
      drawing: {
        kind: 'menu',
        sidebar: ['Tracks', 'Playlists', 'Crates'],
        entry: 'Playlists',
        options: ['Create New Playlist', 'Import Playlist'],
        option: 'Import Playlist',
      },
    },
  ],
  problems: [
    { title: texts.mixxxEmptyPlaylist, fix: texts.mixxxEmptyPlaylistText },
    { title: texts.unpackedTooDeep, fix: texts.unpackedTooDeepText },
    { title: texts.mixxxOldSongs, fix: texts.mixxxOldSongsText },
    { title: texts.mixxxGridReplaced, fix: texts.mixxxGridReplacedText },
  ],
}
