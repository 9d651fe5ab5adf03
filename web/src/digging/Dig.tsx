import { IconArrowBackUp, IconDisc, IconHeadphones, IconX } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { count } from '../format/format.ts'
import { format } from '../format/message.ts'
import { MembersOnly } from '../membership/MembersOnly.tsx'
import { history } from '../platform/address.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { useTabTitle } from '../platform/Page.tsx'
import { useSession } from '../platform/session.ts'
import { playerActions } from '../player/store.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import css from './Dig.module.css'
import { DigEnd } from './DigEnd.tsx'
import view from './DigSongView.module.css'
import { DigSongView } from './DigSongView.tsx'
import { useDigKeys } from './digKeys.ts'
import { listName, listPage } from './digList.ts'
import { type DigAction, type DigSong, idOf } from './digState.ts'
import { LastDecision } from './LastDecision.tsx'
import { firstVersion, playFromDrop, useDigPlayback, usePlayerChooser } from './playback.ts'
import { SaveState } from './SaveState.tsx'
import * as texts from './texts.ts'
import { type Digging, useDigging } from './useDigging.ts'

/** Digging: the songs of a list, full screen, one at a time. */
export function Dig() {
  const { list } = useParams({ from: '/dig/$list' })
  const signedIn = useSession((session) => session.token !== null)
  useTabTitle(texts.digging)
  return signedIn ? <MemberContent key={list} list={list} /> : <VisitorContent list={list} />
}

function useLeave(list: string) {
  const navigate = useNavigate()
  return () => (history.canGoBack() ? history.back() : void navigate(listPage(list)))
}

function VisitorContent({ list }: { list: string }) {
  return (
    <Frame title={listName(list)} onLeave={useLeave(list)}>
      <MembersOnly icon={<IconHeadphones size={24} />}>{texts.signInToDig}</MembersOnly>
    </Frame>
  )
}

type FrameProps = { title: string; left?: ReactNode; onLeave: () => void; onUndo?: () => void; children: ReactNode }

/** The whole screen: list and number of songs left above, and the buttons to undo and to leave. */
const Frame = ({ title, left, onLeave, onUndo, children }: FrameProps) => (
  <section className={css.screen} aria-label={texts.digging}>
    <header className={css.head}>
      <IconButton className={css.headButton} label={texts.leave} shortcut="Esc" onClick={onLeave}>
        <IconX size={22} />
      </IconButton>
      <h1 title={title}>{title}</h1>
      <p className={css.left} role="status">
        {left}
      </p>
      <IconButton
        className={css.headButton}
        label={texts.undo}
        shortcut="Z"
        disabled={!onUndo}
        onClick={() => onUndo?.()}
      >
        <IconArrowBackUp size={22} />
      </IconButton>
    </header>
    {children}
  </section>
)

function MemberContent({ list }: { list: string }) {
  const digging = useDigging(list)
  const leave = useLeave(list)
  const { current, isReady, history: decided, left } = digging
  const title = listName(list, digging.title)
  const leftText = isReady && format(list === 'new' ? texts.leftThisWeek : texts.left, { count: count(left) })
  return (
    <Frame
      title={title}
      left={current && leftText}
      onLeave={leave}
      {...(decided.length > 0 && { onUndo: digging.undo })}
    >
      <SaveState />
      <DiggingContent list={list} title={title} digging={digging} onLeave={leave} />
      <LastDecision decided={decided.at(-1)} onUndo={digging.undo} onMuted={() => void digging.load()} />
    </Frame>
  )
}

type ContentProps = { list: string; title: string; digging: Digging; onLeave: () => void }

function DiggingContent({ list, title, digging, onLeave }: ContentProps) {
  const { songs, current, isReady, error, left } = digging
  const choice = useVersionChoice(current)
  const isDone = isReady && songs.length === 0 && left === 0
  const decide = (action: DigAction) =>
    digging.decide(action, action === 'crate' ? choice.chosen?.song_version_id : undefined)
  const jumpToDrop = () => current && choice.version && playFromDrop(current, choice.version, title)
  useDigPlayback({ songs, version: choice.version, source: format(texts.digThrough, { list: title }), isDone })
  usePlayerChooser(() => decide('skip'), digging.undo)
  useDigKeys({
    decide,
    undo: digging.undo,
    nextVersion: choice.next,
    chooseVersion: choice.choose,
    jumpToDrop: () => void jumpToDrop(),
    togglePlaying: playerActions.toggle,
    leave: onLeave,
  })
  if (current)
    return (
      <DigSongView
        key={idOf(current)}
        song={current}
        version={choice.version}
        onChooseVersion={choice.choose}
        onDecide={decide}
        onJumpToDrop={() => void jumpToDrop()}
      />
    )
  if (error) return <ErrorState error={error} title={texts.couldntLoadTheSongs} retry={() => void digging.load()} />
  if (!isDone) return <Loading />
  const hasDecided = Object.values(digging.decisions).some((n) => n > 0)
  if (hasDecided) return <DigEnd list={list} decisions={digging.decisions} onStartAgain={digging.startAgain} />
  return (
    <EmptyState
      icon={<IconDisc size={24} />}
      title={list === 'new' ? texts.noSongsThisWeek : texts.noSongsInThisList}
      action={<Button onClick={onLeave}>{texts.backToTheList}</Button>}
    >
      {texts.noSongsInThisListHint}
    </EmptyState>
  )
}

/** The version that plays: the preferred one, until another is chosen for this song. */
function useVersionChoice(current: DigSong | undefined) {
  const [choice, setChoice] = useState<{ songId: number; versionId: number }>()
  const songId = current && idOf(current)
  const versions = current?.song.version ?? []
  const chosen =
    choice?.songId === songId
      ? versions.find(({ song_version_id }) => song_version_id === choice?.versionId)
      : undefined
  const version = chosen ?? (current && firstVersion(current))
  const choose = (at: number) => {
    const next = versions[at]
    if (next?.available && songId !== undefined) setChoice({ songId, versionId: next.song_version_id })
  }
  const next = () => {
    const playable = versions.filter(({ available }) => available)
    const following = playable[(playable.indexOf(version!) + 1) % playable.length]
    if (following) choose(versions.indexOf(following))
  }
  return { version, chosen, choose, next }
}

const Loading = () => (
  <div className={view.song} role="status" aria-busy aria-label={texts.loadingSongs}>
    <div className={view.card}>
      <span className={view.cover} />
      <div className={view.about}>
        <span className={css.bone} style={{ width: '60%', height: 36 }} />
        <span className={css.bone} style={{ width: '40%' }} />
        <span className={css.bone} style={{ width: '50%' }} />
      </div>
    </div>
    <span className={css.bone} style={{ height: 112 }} />
  </div>
)
