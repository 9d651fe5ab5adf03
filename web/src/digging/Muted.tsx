import '../styles/mantine-layout.css'
import { digging } from '@dubplate/contract'
import { IconVolumeOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { artistLink, labelLink } from '../catalogue/addresses.ts'
import { formatShortDate } from '../format/format.ts'
import { format } from '../format/message.ts'
import { AccountPage } from '../membership/account/AccountPage.tsx'
import { ListRowSkeleton } from '../membership/account/Skeletons.tsx'
import { ErrorState } from '../platform/ErrorState.tsx'
import { queryClient, useApiQuery } from '../platform/queries.ts'
import { useApiMutation } from '../platform/useApiMutation.ts'
import button from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { KeepFocus } from '../ui/KeepFocus.tsx'
import { Mantine } from '../ui/Mantine.tsx'
import css from './Muted.module.css'
import * as texts from './texts.ts'

/** What a member has muted. */
export const Muted = () => (
  <Mantine>
    <AccountPage title={texts.muted} skeleton={<ListRowSkeleton count={4} height_px={60} />}>
      {() => (
        <>
          <p>{texts.mutedNote}</p>
          <Mutes />
        </>
      )}
    </AccountPage>
  </Mantine>
)

function Mutes() {
  const { data, error, refetch } = useApiQuery(digging.getMutes, {})
  if (!data && error)
    return <ErrorState error={error} title={texts.couldntLoadYourMutes} retry={() => void refetch()} />
  if (!data) return <ListRowSkeleton count={4} height_px={60} />
  if (data.mutes.length === 0)
    return (
      <EmptyState
        icon={<IconVolumeOff size={24} />}
        title={texts.muteNothingYet}
        action={
          <Link to="/dig/$list" params={{ list: 'new' }} className={button.button} data-look="primary">
            {texts.dig}
          </Link>
        }
      >
        {texts.muteNothingYetHint}
      </EmptyState>
    )
  return (
    <KeepFocus>
      <ul className={css.mutes}>
        {data.mutes.map((mute) => (
          <MuteRow key={mute.mute_id} mute={mute} />
        ))}
      </ul>
    </KeepFocus>
  )
}

const KINDS: Record<digging.MuteKind, string> = {
  song: texts.song,
  artist: texts.artist,
  label: texts.label,
  genre: texts.genre,
  version: texts.versionType,
}

function MuteRow({ mute }: { mute: digging.Mute }) {
  const { mute_id, kind, name, artist, muted_at } = mute
  const { mutate: change, isPending } = useApiMutation(digging.changeMutes, {
    success: () => ({ message: format(texts.unmuted, { name }) }),
    errorTitle: texts.couldntRemoveTheMute,
  })
  const remove = () =>
    change(
      { remove: [mute_id] },
      { onSuccess: (reply) => queryClient.setQueryData([digging.getMutes.path, {}], reply) },
    )
  return (
    <li className={css.mute}>
      <div>
        <MutedName mute={mute} />
        <small>{[KINDS[kind], artist, formatShortDate(muted_at)].filter(Boolean).join(' · ')}</small>
      </div>
      <Button busy={isPending} aria-label={format(texts.removeMuteOf, { name })} onClick={remove}>
        {texts.remove}
      </Button>
    </li>
  )
}

function MutedName({ mute: { kind, name, entity_id, genre_id } }: { mute: digging.Mute }) {
  if (entity_id !== null)
    return (
      <Link to="/song/$entityId" params={{ entityId: entity_id }}>
        {name}
      </Link>
    )
  if (genre_id !== null)
    return (
      <Link to="/genres/view/$genreId" params={{ genreId: genre_id }}>
        {name}
      </Link>
    )
  if (kind === 'artist') return <Link {...artistLink(name)}>{name}</Link>
  if (kind === 'label') return <Link {...labelLink(name)}>{name}</Link>
  return <span>{name}</span>
}
