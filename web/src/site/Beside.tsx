import { useLocation, useMatches } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { part } from '../platform/part.ts'
import { useShown } from '../platform/pool.ts'
import { late } from '../ui/late.tsx'
import css from './Beside.module.css'
import * as texts from './texts.ts'

const LeftOut = late(() => import('./LeftOut.tsx').then(({ LeftOut }) => LeftOut))
const Blocks = part(() => import('./Blocks.tsx').then(({ Blocks }) => Blocks))

/** A screen, with the right column beside it where its route says so; on narrower windows the column stands below. */
export function Beside({ children }: { children: ReactNode }) {
  const isWanted = useMatches({ select: (matches) => matches.at(-1)?.staticData.beside === true })
  const path = useLocation({ select: ({ pathname }) => pathname })
  if (!useShown()(path)) return <LeftOut />
  return (
    <div className={isWanted ? css.columns : undefined}>
      <div className={css.screen}>{children}</div>
      {isWanted && (
        <div className={css.aside}>
          <Around />
        </div>
      )}
    </div>
  )
}

/** The right column itself; the start page has it below its charts. */
export const Around = () => (
  <aside className={css.blocks} aria-label={texts.moreToExplore}>
    <Suspense>
      <Blocks />
    </Suspense>
  </aside>
)
