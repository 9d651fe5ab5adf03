import { IconCrown } from '@tabler/icons-react'
import { Link, useCanGoBack, useRouter } from '@tanstack/react-router'
import css from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'

/** Where a member without a paid plan arrives who wants to download. */
export function PlanNeeded() {
  const { history } = useRouter()
  const canGoBack = useCanGoBack()
  const back = canGoBack ? (
    <Button look="primary" onClick={() => history.back()}>
      Back to the songs
    </Button>
  ) : (
    <Link to="/" className={css.button} data-look="primary">
      To the start page
    </Link>
  )
  return (
    <Page title="Plans">
      <EmptyState icon={<IconCrown size={24} />} title="A paid plan is needed to download" action={back}>
        You can listen, keep favourites and fill your crate without one. Plans cannot be bought here yet: ask whoever
        runs this pool to switch yours on.
      </EmptyState>
    </Page>
  )
}
