import type { Guide } from './guide.ts'
import * as texts from './texts.ts'

/** Source: support.serato.com, "What is in the _Serato_ folder?". */
export const seratoGuide: Guide = {
  software: 'serato',
  systems: ['windows', 'macos'],
  summary: texts.seratoSummary,
  contents: {
    playlist: texts.seratoPlaylist,
    grid: texts.seratoBeatGrid,
    cues: texts.seratoCues,
    key: texts.keyInTags,
    comment: texts.commentInTags,
    energy: texts.energyInTags,
  },
  hasCueColours: true,
  hasEnergyColour: false,
  steps: [
    { title: texts.seratoClose, text: texts.seratoCloseText, drawing: { kind: 'close' } },
    { title: texts.unpack, text: texts.unpackText, drawing: { kind: 'unpack' } },
    { title: texts.seratoCopy, text: texts.seratoCopyText, drawing: { kind: 'copy' } },
    {
      title: texts.seratoOpen,
      text: texts.seratoOpenText,
      drawing: { kind: 'playlist', sidebar: ['All', 'Warm up'], hasCues: true },
    },
  ],
  problems: [
    { title: texts.seratoCrateMissing, fix: texts.seratoCrateMissingText },
    { title: texts.seratoSongsMissing, fix: texts.seratoSongsMissingText },
    { title: texts.seratoOldSongs, fix: texts.seratoOldSongsText },
    { title: texts.seratoCratesReplaced, fix: texts.seratoCratesReplacedText },
  ],
}
