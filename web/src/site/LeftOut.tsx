import { IconDisc } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import css from '../ui/Button.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'

/** At the address of a part of the site that this pool does without. */
export function LeftOut() {
  const onward = (
    <Link to="/" className={css.button} data-look="primary">
      Go home
    </Link>
  )
  return (
    <Page title="Page not available">
      <EmptyState icon={<IconDisc size={24} />} title="This page isn’t available" action={onward}>
        This section is turned off. Go home to keep browsing.
      </EmptyState>
    </Page>
  )
}
