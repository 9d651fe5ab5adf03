import { useIsFetching } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import css from './LoadingBar.module.css'

type QueryState = { state: { data: unknown }; meta?: { quiet?: boolean } | undefined }

/** Asked for and never answered before: what somebody is waiting for. What is only renewed, or suggested, does not count. */
const isFirstAnswer = ({ state, meta }: QueryState) => state.data === undefined && !meta?.quiet

/** The line at the top of the page: it rises to 95 % while a screen is on its way, and ends when it is there. */
export function LoadingBar() {
  const isNavigating = useRouterState({ select: ({ status }) => status === 'pending' })
  const isAsking = useIsFetching({ predicate: isFirstAnswer }) > 0
  return (
    <div
      className={css.bar}
      data-loading={isNavigating || isAsking || undefined}
      data-testid="loading-bar"
      aria-hidden
    />
  )
}
