import { announcements } from '@dubplate/contract'
import { IconSpeakerphone } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { count } from '../../platform/format.ts'
import { useApiQuery } from '../../platform/queries.ts'
import button from '../../ui/Button.module.css'
import { Chips } from '../../ui/Chips.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Pagination } from '../../ui/Pagination.tsx'
import css from '../Lists.module.css'
import { StaffPage } from '../StaffPage.tsx'
import { AnnouncementCard } from './AnnouncementCard.tsx'
import { AnnouncementEdit } from './AnnouncementEdit.tsx'
import * as texts from './texts.ts'

/** The pool's announcements: current, scheduled and ended. */
export const StaffAnnouncements = () => (
  <StaffPage title={texts.announcements}>
    <List />
  </StaffPage>
)

type State = (typeof announcements.ANNOUNCEMENT_STATES)[number]

const STATE_NAMES: Record<State, string> = { current: texts.active, scheduled: texts.scheduled, ended: texts.ended }

/** In the URL: a new one is being written; otherwise the id of the one being edited. */
const NEW = 'new'

function List() {
  const { page = 1, state = 'current', open } = useSearch({ from: '/staff/announcements' })
  const navigate = useNavigate({ from: '/staff/announcements' })
  const asked = useApiQuery(announcements.getAnnouncements, { page, state }, { keepPrevious: true })
  const { data, error, isPlaceholderData, refetch } = asked
  const nameOf = (each: State) => (data ? `${STATE_NAMES[each]} ${count(data.counts[each])}` : STATE_NAMES[each])
  const close = () => void navigate({ search: (was) => ({ ...was, open: undefined }), replace: true })
  const goTo = (state: State) => void navigate({ search: { state: state === 'current' ? undefined : state } })
  return (
    <>
      <div className={css.bar}>
        <Chips
          label={texts.announcementStatus}
          choices={announcements.ANNOUNCEMENT_STATES.map((value) => ({ value, label: nameOf(value) }))}
          chosen={state}
          onChoose={goTo}
        />
        {open !== NEW && (
          <Link
            from="/staff/announcements"
            to="."
            search={(was) => ({ ...was, open: NEW })}
            className={button.button}
            data-look="primary"
          >
            {texts.newAnnouncement}
          </Link>
        )}
      </div>
      {open === NEW && <AnnouncementEdit onSaved={({ state }) => goTo(state)} onClose={close} />}
      {error && !data && (
        <ErrorState error={error} subject={texts.announcementsInSentence} retry={() => void refetch()} />
      )}
      {!data && !error && <ToCome />}
      {data?.announcements.length === 0 && open !== NEW && <None state={state} />}
      {data && data.announcements.length > 0 && (
        <>
          <ol className={css.cards} aria-label={texts.announcements} aria-busy={isPlaceholderData || undefined}>
            {data.announcements.map((it) => (
              <AnnouncementCard
                key={it.message_id}
                announcement={it}
                isOpen={open === String(it.message_id)}
                onSaved={({ state }) => goTo(state)}
                onClose={close}
              />
            ))}
          </ol>
          <Pagination pagination={data.pagination} />
        </>
      )}
    </>
  )
}

const NONE: Record<State, { title: string; text: string }> = {
  current: {
    title: texts.noActiveAnnouncements,
    text: texts.announcementsAppearAtTheTop,
  },
  scheduled: { title: texts.noScheduledAnnouncements, text: texts.announcementsWithAFutureStart },
  ended: { title: texts.noEndedAnnouncements, text: texts.pastAnnouncementsAppearHereYou },
}

const None = ({ state }: { state: State }) => (
  <EmptyState icon={<IconSpeakerphone size={24} />} title={NONE[state].title}>
    {NONE[state].text}
  </EmptyState>
)

const CARDS = 3

const ToCome = () => (
  <ol className={css.cards} aria-busy aria-label={texts.loadingAnnouncements}>
    {Array.from({ length: CARDS }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
      <li key={i} className={css.bone} aria-hidden />
    ))}
  </ol>
)
