import { useIsFetching } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import css from './Shell.module.css'

type QueryState = { state: { data: unknown }; meta?: { quiet?: boolean } | undefined }

/** A query without a reply yet, which the user is waiting for. Refetches and suggestions do not count. */
const isFirstAnswer = ({ state, meta }: QueryState) => state.data === undefined && !meta?.quiet

/** The progress bar at the top of the page: it rises to 95 % while a screen loads, and disappears afterwards. */
export function LoadingBar() {
  const isNavigating = useRouterState({ select: ({ status }) => status === 'pending' })
  const isAsking = useIsFetching({ predicate: isFirstAnswer }) > 0
  return (
    <div
      className={css.loading}
      data-loading={isNavigating || isAsking || undefined}
      data-testid="loading-bar"
      aria-hidden
    />
  )
}
