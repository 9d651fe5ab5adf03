import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import * as texts from './texts.ts'

type Content = { title: string; text: string }

type Options = {
  icon: ReactNode
  /** Nothing was ever there. */
  none: Content
  noMatches: Content
  isFiltered: boolean
  /** Whether the chosen dates end before they start. */
  isReversed?: boolean
}

/** Why a table has no rows. */
export function emptyState({ icon, none, noMatches, isFiltered, isReversed }: Options) {
  if (isReversed)
    return { icon, title: texts.invalidDateRange, text: texts.startMustBeBeforeEnd, action: <ShowAllButton /> }
  return isFiltered ? { icon, ...noMatches, action: <ShowAllButton /> } : { icon, ...none }
}

/** Removes all filters. */
function ShowAllButton() {
  const navigate = useNavigate()
  return (
    <Button variant="default" onClick={() => void navigate({ to: '.', search: {} as never })}>
      {texts.showAll}
    </Button>
  )
}
