import { IconDisc } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { usePool } from '../platform/pool.ts'
import css from '../ui/Button.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'

/** At the address of a part of the site that this pool does without. */
export function LeftOut() {
  const { name } = usePool()
  const onward = (
    <Link to="/" className={css.button} data-look="primary">
      To the start page
    </Link>
  )
  return (
    <Page title="Not part of this pool">
      <EmptyState icon={<IconDisc size={24} />} title={`${name} does without this`} action={onward}>
        This part of the site is switched off at present. Everything else is where it was.
      </EmptyState>
    </Page>
  )
}
