import { useLocation, useMatches } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useIsSectionVisible } from '../platform/pool.ts'
import { lazyOnDemand, lazyOptional } from '../ui/lazyOnDemand.tsx'
import css from './Shell.module.css'
import * as texts from './texts.ts'

const SectionUnavailable = lazyOnDemand(() =>
  import('./NotFound.tsx').then(({ SectionUnavailable }) => SectionUnavailable),
)
const SidebarBlocksContent = lazyOptional(() =>
  import('./SidebarBlocks.tsx').then(({ SidebarBlocksContent }) => SidebarBlocksContent),
)

/** A screen, with the right column next to it if its route has one; in narrower windows the column is below. */
export function Sidebar({ children }: { children: ReactNode }) {
  const isWanted = useMatches({ select: (matches) => matches.at(-1)?.staticData.hasSidebar === true })
  const path = useLocation({ select: ({ pathname }) => pathname })
  if (!useIsSectionVisible()(path)) return <SectionUnavailable />
  return (
    <div className={isWanted ? css.columns : undefined}>
      <div className={css.screen}>{children}</div>
      {isWanted && (
        <div className={css.aside}>
          <SidebarBlocks />
        </div>
      )}
    </div>
  )
}

/** The content of the right column; the start page shows it below its charts. */
export const SidebarBlocks = () => (
  <aside className={css.blocks} aria-label={texts.moreToExplore}>
    <SidebarBlocksContent />
  </aside>
)
