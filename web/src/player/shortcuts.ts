import * as texts from './texts.ts'

/** Every shortcut, as listed in the help. */
export const KEYS: { keys: string; description: string }[] = [
  { keys: texts.space, description: texts.playOrPause },
  { keys: '← / →', description: texts.rewindOrFastForward },
  { keys: texts.shiftOrPN, description: texts.previousOrNextSong },
  { keys: '1–8', description: texts.jumpToEighths },
  { keys: '0 / 9', description: texts.jumpToStartOrEnd },
  { keys: 'J / K', description: texts.moveToNextOrPrevious },
  { keys: 'X', description: texts.selectSongHint },
  { keys: texts.extendSelectionShortcut, description: texts.extendSelection },
  { keys: 'Shift F10', description: texts.openSongMenu },
  { keys: '↑ / ↓ or = / -', description: texts.turnVolumeUpOrDown },
  { keys: 'M', description: texts.muteOrUnmute },
  { keys: 'S', description: texts.turnShuffleOnOrOff },
  { keys: 'R', description: texts.toggleRepeatOne },
  { keys: 'Q', description: texts.openOrCloseQueue },
  { keys: 'L', description: texts.addCurrentSongToFavourites },
  { keys: 'C', description: texts.addCurrentSongToCrate },
  { keys: 'D', description: texts.downloadCurrentVersion },
  { keys: texts.gThenC, description: texts.goToCurrentSong },
  { keys: '/', description: texts.search },
  { keys: texts.ctrlK, description: texts.openCommandMenu },
  { keys: '?', description: texts.showKeyboardShortcuts },
]
