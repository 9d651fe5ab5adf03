import { IconDisc } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import css from '../ui/Button.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'

export function NotFound() {
  const onward = (
    <>
      <Link to="/" className={css.button} data-look="primary">
        To the start page
      </Link>
      <Link to="/newRelease" className={css.button}>
        New releases
      </Link>
    </>
  )
  return (
    <Page title="Not in the crate">
      <EmptyState icon={<IconDisc size={24} />} title="Nothing here" action={onward}>
        There is nothing at this address. It may have been moved, or mistyped.
      </EmptyState>
    </Page>
  )
}
