import { useMatches } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import css from './Beside.module.css'

const Blocks = lazy(() => import('./Blocks.tsx').then(({ Blocks }) => ({ default: Blocks })))

/** A screen, with the right column beside it where its route says so; on narrower windows the column stands below. */
export function Beside({ children }: { children: ReactNode }) {
  const isWanted = useMatches({ select: (matches) => matches.at(-1)?.staticData.beside === true })
  return (
    <div className={isWanted ? css.columns : undefined}>
      <div className={css.screen}>{children}</div>
      {isWanted && (
        <aside className={css.aside} aria-label="Around the music">
          <Suspense>
            <Blocks />
          </Suspense>
        </aside>
      )}
    </div>
  )
}
