import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useIsSectionVisible } from '../platform/pool.ts'
import { lazyOnDemand, lazyOptional } from '../ui/lazyOnDemand.tsx'
import { RenderWhenVisible } from '../ui/RenderWhenVisible.tsx'
import css from './Shell.module.css'
import { useHasSidebar, useIsSidebarOpen } from './sidebarChoice.ts'
import * as texts from './texts.ts'

const SectionUnavailable = lazyOnDemand(() =>
  import('./NotFound.tsx').then(({ SectionUnavailable }) => SectionUnavailable),
)
const SidebarBlocks = lazyOptional(() => import('./SidebarBlocks.tsx').then(({ SidebarBlocks }) => SidebarBlocks))

/** A screen, with the right column next to it; in narrower windows the column is below. */
export function Sidebar({ children }: { children: ReactNode }) {
  const hasSidebar = useHasSidebar()
  const isOpen = useIsSidebarOpen()
  const path = useLocation({ select: ({ pathname }) => pathname })
  if (!useIsSectionVisible()(path)) return <SectionUnavailable />
  const isShown = hasSidebar && isOpen
  return (
    <div className={isShown ? css.columns : undefined}>
      <div className={css.screen}>{children}</div>
      {isShown && (
        <aside className={css.aside} aria-label={texts.moreToExplore}>
          <RenderWhenVisible name="sidebar">
            <SidebarBlocks />
          </RenderWhenVisible>
        </aside>
      )}
    </div>
  )
}
