import { useEffect } from 'react'
import { useLatest } from '../ui/useLatest.ts'
import type { DigAction } from './digState.ts'
import * as texts from './texts.ts'

/** The keys while digging, as listed in the help. */
export const DIG_KEYS: { keys: string; description: string }[] = [
  { keys: '→', description: texts.skip },
  { keys: 'C', description: texts.addToCrate },
  { keys: 'F', description: texts.addToFavourites },
  { keys: 'X', description: texts.neverAgain },
  { keys: '← / Z', description: texts.keyUndo },
  { keys: 'V', description: texts.keyNextVersion },
  { keys: '1–9', description: texts.keyChooseVersion },
  { keys: 'D', description: texts.jumpToDrop },
  { keys: texts.space, description: texts.playOrPause },
  { keys: 'Esc', description: texts.leave },
]

export type DigCommands = {
  decide: (action: DigAction) => void
  undo: () => void
  nextVersion: () => void
  /** The first version is 0. */
  chooseVersion: (at: number) => void
  jumpToDrop: () => void
  togglePlaying: () => void
  leave: () => void
}

/** Elements that handle keys themselves. */
const OWN_KEYS = 'input,textarea,select,[contenteditable=true],dialog,[role=dialog],[role=menu],[role=combobox]'

/** Shortcuts of the player that would act on what this screen does not show. */
const WITHOUT_EFFECT = new Set(['q', 's', 'r', '/', '0', 'j', 'k'])

const COMMANDS: Record<string, (commands: DigCommands) => void> = {
  ArrowRight: ({ decide }) => decide('skip'),
  c: ({ decide }) => decide('crate'),
  f: ({ decide }) => decide('favourite'),
  x: ({ decide }) => decide('never'),
  ArrowLeft: ({ undo }) => undo(),
  z: ({ undo }) => undo(),
  v: ({ nextVersion }) => nextVersion(),
  d: ({ jumpToDrop }) => jumpToDrop(),
  ' ': ({ togglePlaying }) => togglePlaying(),
  Escape: ({ leave }) => leave(),
}

function commandOf(event: KeyboardEvent, commands: DigCommands): (() => void) | undefined {
  const { target } = event
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return undefined
  if (document.getElementById('root')?.inert) return undefined
  const isIn = (selector: string) => target instanceof Element && target.closest(selector) !== null
  if (isIn(OWN_KEYS)) return undefined
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  if (key.startsWith('Arrow') && isIn('[role=slider]')) return undefined
  if (key === ' ' && isIn('button,a')) return undefined
  if (WITHOUT_EFFECT.has(key)) return () => undefined
  if (/^[1-9]$/.test(key)) return () => commands.chooseVersion(Number(key) - 1)
  const run = COMMANDS[key]
  // A key that is held down must not decide about many songs.
  if (event.repeat) return run && (() => undefined)
  return run && (() => run(commands))
}

/** Runs the commands by key, before the shortcuts of the player. */
export function useDigKeys(commands: DigCommands) {
  const latest = useLatest(commands)
  useEffect(() => {
    const handle = (event: KeyboardEvent) => {
      const run = commandOf(event, latest.current)
      if (!run) return
      event.preventDefault()
      run()
    }
    addEventListener('keydown', handle, { capture: true })
    return () => removeEventListener('keydown', handle, { capture: true })
  }, [latest])
}
