import { useLayoutEffect } from 'react'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import { currentEntry, usePlayer } from './store.ts'

const PlayerBar = lazyOnDemand(() => import('./PlayerBar.tsx').then(({ PlayerBar }) => PlayerBar))

/**
 * The player, from the first song on. Until then it takes no space: `data-player` on the page tells its styles whether
 * the player is shown.
 */
export function Player() {
  const isShown = usePlayer((state) => currentEntry(state) !== undefined)
  useLayoutEffect(() => {
    document.documentElement.toggleAttribute('data-player', isShown)
    return () => document.documentElement.removeAttribute('data-player')
  }, [isShown])
  return isShown && <PlayerBar />
}
