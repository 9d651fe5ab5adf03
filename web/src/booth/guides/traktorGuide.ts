import type { Guide } from './guide.ts'
import * as texts from './texts.ts'

const SIDEBAR = ['Track Collection', 'Playlists', 'Explorer']

/**
 * Sources: the manual of Traktor Pro 3 and 4 ("Importing a Playlist", "Restoring the Track Collection") and
 * support.native-instruments.com, "How to Set Beatgrids in TRAKTOR".
 */
export const traktorGuide: Guide = {
  software: 'traktor',
  systems: ['windows', 'macos'],
  summary: texts.traktorSummary,
  contents: {
    playlist: texts.playlistInLibrary,
    grid: texts.traktorBeatGrid,
    cues: texts.traktorCues,
    key: texts.keyInBoth,
    comment: texts.commentInBoth,
    stars: texts.starsInLibrary,
    energy: texts.energyInTags,
  },
  hasCueColours: false,
  hasEnergyColour: false,
  steps: [
    { title: texts.unpack, text: texts.unpackText, drawing: { kind: 'unpack' } },
    {
      title: texts.traktorAnalysis,
      text: texts.traktorAnalysisText,
      drawing: {
        kind: 'window',
        pages: ['Audio Setup', 'Browser Details', 'File Management'],
        page: 'File Management',
        section: 'File Management',
        settings: [
          { name: 'Analyze new imported tracks', isTicked: false },
          { name: 'Analyze new tracks when loading into deck', isTicked: false },
        ],
      },
    },
    {
      title: texts.traktorCollection,
      text: texts.traktorCollectionText,
      drawing: {
        kind: 'menu',
        sidebar: SIDEBAR,
        entry: 'Track Collection',
        options: ['Import Music Folders', 'Import another Collection', 'Check Consistency'],
        option: 'Import another Collection',
      },
    },
    {
      title: texts.traktorPlaylist,
      text: texts.traktorPlaylistText,
      drawing: {
        kind: 'menu',
        sidebar: SIDEBAR,
        entry: 'Playlists',
        options: ['Create Playlist', 'Import Playlist'],
        option: 'Import Playlist',
      },
    },
  ],
  problems: [
    { title: texts.traktorMissing, fix: texts.traktorMissingText },
    { title: texts.unpackedTooDeep, fix: texts.unpackedTooDeepText },
    { title: texts.traktorGridDiffers, fix: texts.traktorGridDiffersText },
    { title: texts.traktorDuplicates, fix: texts.traktorDuplicatesText },
  ],
}
