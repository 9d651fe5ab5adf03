import { IconEyeOff, IconLinkOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Page } from '../platform/Page.tsx'
import css from '../ui/Button.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'
import * as texts from './texts.ts'

export function NotFound() {
  const onward = (
    <>
      <Link to="/" className={css.button} data-look="primary">
        {texts.goHome}
      </Link>
      <Link to="/newRelease" className={css.button}>
        {texts.seeNewReleases}
      </Link>
    </>
  )
  return (
    <Page title={texts.pageNotFound}>
      <EmptyState icon={<IconLinkOff size={24} />} title={texts.thisPageDoesntExist} action={onward}>
        {texts.theLinkMayBeBroken}
      </EmptyState>
    </Page>
  )
}

/** Shown at the URL of a section that the pool has turned off. */
export const SectionUnavailable = () => (
  <Page title={texts.pageNotAvailable}>
    <EmptyState
      icon={<IconEyeOff size={24} />}
      title={texts.thisPageIsntAvailable}
      action={
        <Link to="/" className={css.button} data-look="primary">
          {texts.goHome}
        </Link>
      }
    >
      {texts.thisSectionIsTurnedOff}
    </EmptyState>
  </Page>
)
