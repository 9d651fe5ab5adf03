import { IconDisc } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Page } from '../platform/Page.tsx'
import css from '../ui/Button.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'
import * as texts from './texts.ts'

/** Shown at the URL of a section that the pool has turned off. */
export function SectionUnavailable() {
  const onward = (
    <Link to="/" className={css.button} data-look="primary">
      {texts.goHome}
    </Link>
  )
  return (
    <Page title={texts.pageNotAvailable}>
      <EmptyState icon={<IconDisc size={24} />} title={texts.thisPageIsntAvailable} action={onward}>
        {texts.thisSectionIsTurnedOff}
      </EmptyState>
    </Page>
  )
}
