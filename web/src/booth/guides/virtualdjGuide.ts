import type { Guide } from './guide.ts'
import * as texts from './texts.ts'

/** Source: virtualdj.com/wiki, "Lists". */
export const virtualdjGuide: Guide = {
  software: 'virtualdj',
  systems: ['windows', 'macos'],
  summary: texts.virtualdjSummary,
  contents: {
    playlist: texts.virtualdjPlaylist,
    key: texts.keyInBoth,
    comment: texts.commentInTags,
    energy: texts.energyInTags,
  },
  missing: { grid: texts.virtualdjBeatGrid, cues: texts.virtualdjCues },
  hasCueColours: false,
  hasEnergyColour: false,
  steps: [
    { title: texts.unpack, text: texts.unpackText, drawing: { kind: 'unpack' } },
    { title: texts.virtualdjCopy, text: texts.virtualdjCopyText, drawing: { kind: 'copy' } },
    {
      title: texts.virtualdjOpen,
      text: texts.virtualdjOpenText,
      drawing: { kind: 'playlist', sidebar: ['Local Music', 'My Lists'], hasCues: false },
    },
  ],
  problems: [
    {
      title: texts.virtualdjFolderHidden,
      fix: { windows: texts.virtualdjFolderHiddenWindows, macos: texts.virtualdjFolderHiddenMac },
    },
    { title: texts.virtualdjListMissing, fix: texts.virtualdjListMissingText },
    { title: texts.virtualdjSongsMissing, fix: texts.virtualdjSongsMissingText },
    { title: texts.virtualdjNoCues, fix: texts.virtualdjNoCuesText },
  ],
}
