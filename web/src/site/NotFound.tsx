import { IconDisc } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import css from '../ui/Button.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'

export function NotFound() {
  const onward = (
    <>
      <Link to="/" className={css.button} data-look="primary">
        Go home
      </Link>
      <Link to="/newRelease" className={css.button}>
        {' '}
        See new releases{' '}
      </Link>
    </>
  )
  return (
    <Page title="Page not found">
      <EmptyState icon={<IconDisc size={24} />} title="This page doesn’t exist" action={onward}>
        The link may be broken, or the page may have been moved.
      </EmptyState>
    </Page>
  )
}
