import * as texts from './texts.ts'

/** Every shortcut, as the help lists it. */
export const KEYS: { keys: string; does: string }[] = [
  { keys: 'Space', does: texts.playOrPause },
  { keys: '← / →', does: texts.rewindOrFastForward5 },
  { keys: texts.shiftOrPN, does: texts.previousOrNextSong },
  { keys: '0–9', does: texts.jumpTo090 },
  { keys: 'J / K', does: texts.moveToNextOrPrevious },
  { keys: 'X', does: texts.selectSongCtrlATo },
  { keys: 'Shift + ↑ / ↓', does: texts.extendSelection },
  { keys: '↑ / ↓ or = / -', does: texts.turnVolumeUpOrDown },
  { keys: 'M', does: texts.muteOrUnmute },
  { keys: 'S', does: texts.turnShuffleOnOrOff },
  { keys: 'R', does: texts.turnRepeatOneOnOr },
  { keys: 'Q', does: texts.openOrCloseQueue },
  { keys: 'L', does: texts.addCurrentSongToFavourites },
  { keys: 'C', does: texts.addCurrentSongToCrate },
  { keys: 'D', does: texts.downloadCurrentVersion },
  { keys: texts.gThenC, does: texts.goToCurrentSong },
  { keys: '/', does: 'Search' },
  { keys: texts.ctrlK, does: texts.openCommandMenu },
  { keys: '?', does: texts.showKeyboardShortcuts },
]
