import type { Guide } from './guide.ts'
import * as texts from './texts.ts'

/** Source: enginedj.com/software/enginedj-desktop: the libraries that it imports. */
export const engineGuide: Guide = {
  software: 'engine',
  systems: ['windows', 'macos'],
  summary: texts.engineSummary,
  contents: {
    playlist: texts.playlistInLibrary,
    grid: texts.gridInLibrary,
    cues: texts.cuesInLibrary,
    key: texts.keyInBoth,
    comment: texts.commentInBoth,
    stars: texts.starsInLibrary,
    energy: texts.engineEnergy,
  },
  hasCueColours: true,
  hasEnergyColour: true,
  steps: [
    { title: texts.unpack, text: texts.unpackText, drawing: { kind: 'unpack' } },
    {
      title: texts.engineSource,
      text: texts.engineSourceText,
      drawing: { kind: 'source', sidebar: ['Collection', 'Playlists', 'rekordbox'], entry: 'rekordbox' },
    },
    {
      title: texts.engineImport,
      text: texts.engineImportText,
      drawing: { kind: 'playlist', sidebar: ['Collection', 'Playlists'], hasCues: true },
    },
    { title: texts.engineSync, text: texts.engineSyncText, drawing: { kind: 'drive' } },
  ],
  problems: [
    { title: texts.engineSongsMissing, fix: texts.engineSongsMissingText },
    { title: texts.unpackedTooDeep, fix: texts.unpackedTooDeepText },
    { title: texts.engineOtherLibrary, fix: texts.engineOtherLibraryText },
    { title: texts.engineNoSource, fix: texts.engineNoSourceText },
  ],
}
