import type { Guide } from './guide.ts'
import * as texts from './texts.ts'

/**
 * Sources: the manual of rekordbox 7.2.8, "[Preferences] window"; rekordbox.com/en/support/developer ("Bridge", the
 * menu of older versions).
 */
export const rekordboxGuide: Guide = {
  software: 'rekordbox',
  systems: ['windows', 'macos'],
  summary: texts.rekordboxSummary,
  contents: {
    playlist: texts.playlistInLibrary,
    grid: texts.gridInLibrary,
    cues: texts.cuesInLibrary,
    key: texts.keyInBoth,
    comment: texts.commentInBoth,
    stars: texts.starsInLibrary,
    energy: texts.rekordboxEnergy,
  },
  hasCueColours: true,
  hasEnergyColour: true,
  steps: [
    { title: texts.unpack, text: texts.unpackText, drawing: { kind: 'unpack' } },
    {
      title: texts.rekordboxAnalysis,
      text: texts.rekordboxAnalysisText,
      drawing: {
        kind: 'window',
        pages: ['View', 'Audio', 'Analysis', 'Advanced'],
        page: 'Analysis',
        section: 'Track Analysis',
        settings: [{ name: 'Auto Analysis', isTicked: false }],
      },
    },
    {
      title: texts.rekordboxView,
      text: texts.rekordboxViewText,
      drawing: {
        kind: 'window',
        pages: ['View', 'Audio', 'Analysis', 'Advanced'],
        page: 'View',
        section: 'Layout',
        settings: [
          { name: 'Explorer', isTicked: false },
          { name: 'rekordbox xml', isTicked: true },
        ],
      },
    },
    {
      title: texts.rekordboxLibrary,
      text: texts.rekordboxLibraryText,
      drawing: {
        kind: 'window',
        pages: ['View', 'Audio', 'Analysis', 'Advanced'],
        page: 'Advanced',
        section: 'Database',
        settings: [{ name: 'Imported Library', value: 'library' }],
      },
    },
    {
      title: texts.rekordboxImport,
      text: texts.rekordboxImportText,
      drawing: {
        kind: 'menu',
        sidebar: ['Collection', 'Playlists', 'rekordbox xml'],
        entry: 'rekordbox xml',
        options: ['Import To Collection', 'Import Playlist'],
        option: 'Import To Collection',
      },
    },
  ],
  problems: [
    { title: texts.rekordboxNothingHappens, fix: texts.rekordboxNothingHappensText },
    { title: texts.unpackedTooDeep, fix: texts.unpackedTooDeepText },
    { title: texts.rekordboxOldSongs, fix: texts.rekordboxOldSongsText },
    { title: texts.rekordboxNoSource, fix: texts.rekordboxNoSourceText },
  ],
}
